"""Turns moments into a reader's time: the stamps in the sentences of a document, and its epoch milliseconds.

Sentences of a document hold each moment in full, `2026-11-21T09:30:42.123Z`, as `detectors.wording.stamp` writes it.
The JSON report shows that; every other format shows the moment in the reader's time zone, with day and zone.
"""

import copy
import dataclasses
import datetime
import json
import re
import zoneinfo
from collections.abc import Callable, Sequence
from typing import Any, cast

from analyzer.errors import UsageError
from analyzer.report.document.types import Document

_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_WORD = re.compile(rf"(?<![^\s(])({_STAMP.pattern})(?=[).,;:]*(?:\s|$))")
"""A stamp that is a word of its own: part of a longer name it is none."""
_LATEST_MS = 253_370_764_800_000
"""The beginning of the year 9999: a larger number is no time, in any zone."""
_DATE_AND_TIME = len("2026-11-21T09:30:42")
_IN_NO_SENTENCE = frozenset({"capture", "case"})
"""The name of a capture ends with a stamp of its own."""
_OWN_OF_FINDING = ("headline", "refuted_by", "else", "settled_by")

Told = Callable[[str], str]


@dataclasses.dataclass(frozen=True, slots=True)
class Clock:
    """Tells moments (epoch milliseconds) in one time zone."""

    zone: datetime.tzinfo = datetime.UTC
    names: frozenset[str] = frozenset()
    """Stamps that stay as they are."""

    def of(self, document: Document) -> "Clock":
        """Return the clock for the sentences of a document: it leaves alone what may be a name.

        A stamp that is also in a foreign string (an id, a topic, a group, a file, a line of evidence) stays as it is;
        in full and in UTC it cannot be misread.
        """
        blank = dict(_with_sentences(document, lambda _: "", lambda _: ""))
        foreign = json.dumps({key: value for key, value in blank.items() if key not in _IN_NO_SENTENCE})
        return dataclasses.replace(self, names=frozenset(_STAMP.findall(foreign)))

    def moment(self, time_ms: int) -> str:
        """Return day, time to the millisecond and zone: `2026-11-21 09:30:42.123 UTC`, `... 10:30:42.123 +01:00`."""
        local = self._local(time_ms)
        if local is None:
            return f"{time_ms} ms"
        return f"{local:%Y-%m-%d %H:%M:%S}.{time_ms % 1000:03d} {self._offset(local)}"

    def day(self, time_ms: int) -> str:
        """Return the day and the zone, for a head over times of day: `2026-11-21 UTC`."""
        local = self._local(time_ms)
        return f"{time_ms} ms" if local is None else f"{local:%Y-%m-%d} {self._offset(local)}"

    def under(self, time_ms: int, head_ms: int) -> str:
        """Return what is under the head `day(head_ms)`: the time of day, or the whole moment of another day."""
        local = self._local(time_ms)
        if local is None:
            return "?"
        if self.day(time_ms) == self.day(head_ms):
            return f"{local:%H:%M:%S}"
        return f"{local:%Y-%m-%d %H:%M}" + ("" if self._same_zone(time_ms, head_ms) else f" {self._offset(local)}")

    def sentence(self, text: str, head_day: str = "") -> str:
        """Return a sentence with its stamps told in full, those of `head_day` as times of day.

        A stamp of the same day as the one before it is told as a time of day too: the day is beside it.
        """
        day_before = head_day

        def told(match: re.Match[str]) -> str:
            nonlocal day_before
            time_ms = None if match[1] in self.names else _milliseconds(match[1])
            if time_ms is None:
                return match[1]
            day, whole = self.day(time_ms), self.moment(time_ms)
            short = day in {day_before, head_day}
            day_before = day
            return whole.split(" ")[1] if short else whole

        return _WORD.sub(told, text)

    def steps(self, texts: Sequence[str]) -> tuple[str, list[str]]:
        """Return the day of the first stamp in these sentences (may be empty), and the sentences under that head."""
        stamps = (stamp for text in texts for stamp in _WORD.findall(text) if stamp not in self.names)
        first_ms = next((time_ms for stamp in stamps if (time_ms := _milliseconds(stamp)) is not None), None)
        head = "" if first_ms is None else self.day(first_ms)
        return head, [self.sentence(text, head) for text in texts]

    def document(self, document: Document) -> Document:
        """Return a copy of the document in which the stamps of its sentences are told, but for those of `steps`."""
        return _with_sentences(document, self.sentence, lambda text: text)

    def _same_zone(self, one_ms: int, other_ms: int) -> bool:
        one, other = self._local(one_ms), self._local(other_ms)
        return one is not None and other is not None and one.utcoffset() == other.utcoffset()

    def _local(self, time_ms: int) -> datetime.datetime | None:
        """Return the local time, or None for a number that is no time (negative, or from the year 9999 on)."""
        if not 0 <= time_ms < _LATEST_MS:
            return None
        return datetime.datetime.fromtimestamp(time_ms // 1000, tz=self.zone)

    def _offset(self, local: datetime.datetime) -> str:
        """Return `UTC`, or the distance from it: abbreviations of zones have several meanings."""
        return "UTC" if self.zone is datetime.UTC else local.isoformat(timespec="seconds")[_DATE_AND_TIME:]


def zone(name: str) -> datetime.tzinfo:
    """Return the time zone of a name such as `Europe/Berlin`. Raises UsageError where there is none of this name."""
    if name.upper() == "UTC":
        return datetime.UTC
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as fault:
        raise UsageError(
            f"no time zone {name!r} on this machine.",
            wanted="UTC, or a name of the IANA time zone database such as Europe/Berlin",
            do="pip install tzdata, if the name is right",
        ) from fault


def _milliseconds(stamp: str) -> int | None:
    """Return a stamp as epoch milliseconds, or None where no calendar has it."""
    try:
        moment = datetime.datetime.fromisoformat(stamp)
    except ValueError:
        return None
    return int(moment.timestamp() // 1) * 1000 + moment.microsecond // 1000


def _with_sentences(document: Document, told: Told, told_step: Told) -> Document:
    """Return a copy of the document in which each sentence of the analysis, and no foreign string, is told anew."""
    out = cast("dict[str, Any]", copy.deepcopy(document))
    for finding in out["findings"]:
        _tell(finding, _OWN_OF_FINDING, told)
        _tell(finding, ("explanation",), told_step)
        finding["cause"] = [told(text) for text in finding["cause"]]
        _tell(finding["action"], ("summary", "warning"), told)
        for step in finding.get("steps") or []:
            _tell(step, ("text",), told_step)
        for evidence in finding["evidence"]:
            _tell(evidence, ("label",), told)
        _tell(finding.get("waiting") or {}, ("text",), told)
    for opened in out["open_transactions"]:
        _tell(opened, ("why",), told)
    for note in out["coverage"]["notes"]:
        _tell(note, ("note",), told)
    return cast("Document", out)


def _tell(row: dict[str, Any], names: tuple[str, ...], told: Told) -> None:
    """Tell these values of an object anew, those that are there."""
    for name in names:
        if row.get(name):
            row[name] = told(row[name])
