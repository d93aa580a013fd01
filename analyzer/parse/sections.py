"""One dump inside a file while it is read, and its row of `sections`."""

import dataclasses
import re

from analyzer.kafka.placement import place_of
from analyzer.parse.remarks import Says
from analyzer.parse.rows import Rows
from analyzer.parse.stream import Lines
from analyzer.tables import KeyReading

NOTE_LENGTH = 300
NO_LINE_END = "the last line has no end"
"""The note of a dump whose last line was cut."""
_SUFFIX = re.compile(r"\.(log|snapshot|txnindex|index|timeindex|checkpoint)$")


@dataclasses.dataclass(slots=True)
class Section:
    """One dump while it is read; `kind` and `decoder` are empty until a line tells."""

    number: int
    line: int
    byte_offset: int
    path: str | None = None
    kind: str = ""
    layout: str | None = None
    decoder: str = ""
    batches: int = 0
    records: int = 0
    without_metadata: bool = False
    ending: str = "complete"
    notes: list[str] = dataclasses.field(default_factory=list)
    foreign: int = 0
    keys: KeyReading | None = None
    """How the keys of its records are read, None if they are not."""
    unread_keys: int = 0
    payloads: bool = False
    """Whether keys and values of its records are taken as printed, instead of what they mean."""

    @property
    def topic(self) -> str | None:
        """The topic that the Dumping line's path names."""
        return place_of(self.path).topic if self.path else None

    @property
    def segment(self) -> int | None:
        """The base offset in the dumped file's name."""
        return place_of(self.path).segment if self.path else None

    def say(self, says: Says, text: str) -> None:
        """Take in a remark; of a stack trace only the first line is kept."""
        if says is Says.FOREIGN:
            self.foreign += 1
        elif says is Says.REMARK:
            self.note(text)
        elif says is Says.DIED:
            if self.ending != "died":
                self.note(text)
            self.ending = "died"

    def note(self, text: str) -> None:
        """Add a sentence to the note, once."""
        if text not in self.notes and sum(map(len, self.notes)) < NOTE_LENGTH:
            self.notes.append(text[:NOTE_LENGTH])

    def cut(self, why: str) -> None:
        """Say that the dump breaks off before its end."""
        if self.ending == "complete":
            self.ending = "cut"
            self.note(why)

    def see_layout(self, since: str) -> None:
        """Keep the newest layout seen."""
        if self.layout is None or _version(since) > _version(self.layout):
            self.layout = since

    def close(self, rows: Rows, last_line: int) -> None:
        """Add the section's row."""
        if self.foreign:
            self.note(f"{self.foreign} lines of other programs stand in between")
        if self.unread_keys:
            self.note(
                f"the keys of {self.unread_keys} records are no UTF-8 or have no clear end: raw segments tell them"
            )
        place = place_of(self.path) if self.path else place_of("")
        is_log = self.kind in ("log", "checkpoint")
        rows.add(
            "sections",
            self.number,
            self.line,
            self.byte_offset,
            self.kind or "log",
            self.path,
            place.topic,
            place.partition,
            place.replica,
            place.segment,
            self.layout,
            (self.decoder or "none") if is_log else None,
            (self.records > 0 and not self.without_metadata) if is_log and self.batches else None,
            self.batches,
            self.records,
            last_line,
            self.ending,
            "; ".join(self.notes) or None,
        )


def section_of(number: int, line: int, byte_offset: int, path: str) -> Section:
    """Return the section that a Dumping line opens: `Dumping /logs/orders-0/00000000000000000000.log`."""
    suffix = _SUFFIX.search(path)
    return Section(number, line, byte_offset, path, suffix[1] if suffix else "")


def close_file(section: Section, rows: Rows, lines: Lines) -> None:
    """Close the only section of a file, at its end or where its stream breaks off."""
    if lines.fault:
        section.cut(lines.fault)
    section.close(rows, max(lines.number - 1, 1))


def _version(since: str) -> tuple[int, ...]:
    return tuple(map(int, since.split(".")))
