"""One dump inside a file while it is read, and its row of `sections`."""

import dataclasses
import re

from analyzer.kafka.placement import is_set_aside, place_of
from analyzer.parse.remarks import Says
from analyzer.parse.rows import Rows
from analyzer.parse.stream import Lines
from analyzer.tables import KeyReading

NOTE_LENGTH = 300
NO_LINE_END = "the last line has no end"
"""The note of a dump whose last line was cut."""
_TRACED = frozenset({"console", "stderr"})
"""Kinds of which nobody but the tool writes a stack trace."""
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
    raw_text: bool = False
    """Whether keys, values or header keys were printed that may hold line ends, and so any line (RULES C 14)."""
    excerpt: bool = False
    """Whether lines were cut out of it."""
    holes: int = 0
    """Places where bytes of the segment are missing."""
    lone_records: int = 0
    """Records whose batch line is not here, the first and the last of them at the offsets of `lone_between`."""
    lone_between: tuple[int, int] = (-1, -1)
    last_lone: int = 0
    last_batch: int = 0
    """The lines of the last such record and of the last batch."""
    notes: list[str] = dataclasses.field(default_factory=list)
    foreign: int = 0
    keys: KeyReading | None = None
    """How the keys of its records are read, None if they are not."""
    unread_keys: int = 0
    path_cut: bool = False
    """Whether the file ends inside the Dumping line, so that nothing tells what was dumped."""
    payloads: bool = False
    """Whether keys and values of its records are taken as printed, instead of what they mean."""
    of: tuple[str, int] | None = None
    """The topic and partition that its own lines tell, where no Dumping line does."""
    trace: tuple[str, int] = ("", 0)
    """The first line of the last stack trace, and how many it has; the tool's own once a frame shows that."""

    @property
    def topic(self) -> str | None:
        """The topic that the Dumping line's path names."""
        return place_of(self.path).topic if self.path else None

    @property
    def set_aside(self) -> bool:
        """Whether the dumped file is in a folder that is no replica, as of a partition that is being deleted."""
        return self.path is not None and is_set_aside(self.path.replace("\\", "/"))

    @property
    def segment(self) -> int | None:
        """The base offset in the dumped file's name."""
        return place_of(self.path).segment if self.path else None

    def followed_by(self, line: int, byte_offset: int) -> "Section":
        """Return the section of a dump that was appended to this one without its Dumping line."""
        return Section(
            self.number + 1, line, byte_offset, kind="log", decoder=self.decoder, raw_text=self.raw_text,
            keys=self.keys, payloads=self.payloads,
        )  # fmt: skip

    def say(self, says: Says, text: str) -> None:
        """Take in a remark; of the tool's stack trace only the first line is kept, another program's is foreign."""
        if says is Says.TRACE and self.kind in _TRACED:
            says = Says.DIED
        if says is Says.TRACE:
            self._see_trace(text)
        elif says is Says.FOREIGN:
            self.foreign += 1
        elif says is Says.CUT_OUT:
            self.excerpt = True
        elif says is Says.REMARK:
            self.note(text)
        elif says is Says.DIED:
            first, lines = self.trace if text[:1].isspace() else ("", 0)
            if self.ending != "died":
                self.note(first or text)
                self.foreign -= lines
            self.ending, self.trace = "died", ("", 0)

    def _see_trace(self, text: str) -> None:
        """Count a line of a stack trace, which is one of another program unless the tool has died."""
        if self.ending == "died":
            return
        goes_on = text[:1].isspace() or text.startswith("Caused by")
        first, lines = self.trace if goes_on and self.trace[1] else (text, 0)
        self.trace = (first, lines + 1)
        self.foreign += 1

    def note(self, text: str) -> None:
        """Add a sentence to the note, once."""
        if text not in self.notes and sum(map(len, self.notes)) < NOTE_LENGTH:
            self.notes.append(text[:NOTE_LENGTH])

    def cut(self, why: str) -> None:
        """Say that the dump breaks off before its end."""
        if self.ending == "complete":
            self.ending = "cut"
            self.note(why)

    def miss(self, position: int, size: int) -> None:
        """Note that bytes of the segment from this position on are in no line here; the first place is named."""
        self.holes += 1
        if self.holes == 1:
            self.note(f"{size} bytes of the segment are missing at position {position}")

    def see_lone_record(self, offset: int, line: int) -> None:
        """Count a record whose batch line is not here."""
        self.lone_between = (self.lone_between[0] if self.lone_records else offset, offset)
        self.lone_records += 1
        self.last_lone = line

    def see_layout(self, since: str) -> None:
        """Keep the newest layout seen."""
        if self.layout is None or _version(since) > _version(self.layout):
            self.layout = since

    def close(self, rows: Rows, last_line: int) -> None:
        """Add the section's row."""
        if self.holes > 1:
            self.note(f"so are others at {self.holes - 1} more places")
        if self.lone_records:
            self.note(_lone(self.lone_records, *self.lone_between))
        if (self.excerpt or self.last_lone > self.last_batch) and self.ending != "died":
            self.ending = "excerpt"
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
            (self.number, self.line, self.byte_offset),
            kind="set_aside" if self.set_aside else self.kind or (None if self.path_cut else "log"),
            dumped_path=self.path,
            dumped_topic=self.of[0] if self.of else place.topic,
            dumped_partition=self.of[1] if self.of else place.partition,
            dumped_replica=place.replica,
            segment=place.segment,
            layout=self.layout,
            decoder=(self.decoder or "none") if is_log else None,
            deep=(self.records > 0 and not self.without_metadata) if is_log and self.batches else None,
            batches=self.batches,
            records=self.records,
            last_line=last_line,
            ending=self.ending,
            note="; ".join(self.notes) or None,
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


def _lone(records: int, first: int, last: int) -> str:
    if records == 1:
        return f"the batch line of 1 record at offset {first} is not here: what it belongs to is not known"
    return (
        f"the batch lines of {records} records from offset {first} to {last} are not here: what these belong to is not "
        "known"
    )
