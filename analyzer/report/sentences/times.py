"""Moments in the reader's time zone: the stamps in the sentences of a document, and its epoch milliseconds.

Sentences of a document hold each moment in full, `2026-11-21T09:30:42.123Z`, as `detectors.wording.stamp` writes it.
The JSON report keeps that form; every other format shows the moment in the reader's time zone, with date and zone.
"""

import copy
import dataclasses
import datetime
import json
import re
import zoneinfo
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from analyzer.errors import UsageError
from analyzer.report.document.types import Document

_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_WORD = re.compile(rf"(?<![^\s(])({_STAMP.pattern})(?=[).,;:]*(?:\s|$))")
"""A stamp that is a word of its own, not part of a longer name."""
_LATEST_MS = 253_370_764_800_000
"""The beginning of the year 9999: a larger number is no time, in any zone."""
_DATE_AND_TIME = len("2026-11-21T09:30:42")
_IN_NO_SENTENCE = frozenset({"capture", "case"})
"""Parts of a document that no sentence quotes; the name of a capture ends with a stamp."""
_OWN_OF_FINDING = ("headline", "refuted_by", "else", "settled_by")

Rewrite = Callable[[str], str]


@dataclasses.dataclass(frozen=True, slots=True)
class Clock:
    """Writes moments (epoch milliseconds) in one time zone."""

    zone: datetime.tzinfo = datetime.UTC
    names: frozenset[str] = frozenset()
    """Stamps that may be names, and stay as they are."""

    def of(self, document: Document) -> "Clock":
        """Return the clock for the sentences of a document: it does not touch what may be a name.

        A stamp that also occurs in a foreign string (an id, a topic, a group, a file, a line of evidence) stays as it
        is: if it is a moment after all, it is complete and in UTC, and cannot be misread.
        """
        blank = dict(_with_sentences(document, lambda _: "", lambda _: ""))
        foreign = json.dumps({key: value for key, value in blank.items() if key not in _IN_NO_SENTENCE})
        return dataclasses.replace(self, names=frozenset(_STAMP.findall(foreign)))

    def moment(self, time_ms: int) -> str:
        """Return date, time to the millisecond and zone: `2026-11-21 09:30:42.123 UTC`, `... 10:30:42.123 +01:00`."""
        local = self._local(time_ms)
        if local is None:
            return f"{time_ms} ms"
        return f"{local:%Y-%m-%d %H:%M:%S}.{time_ms % 1000:03d} {self._offset(local)}"

    def stamp(self, time_ms: int) -> str:
        """Return a moment as the names of captures end with it: `2026-11-21T09:30:42.123Z`, in this zone."""
        local = self._local(time_ms)
        return f"{time_ms}" if local is None else f"{local:%Y-%m-%dT%H:%M:%S}.{time_ms % 1000:03d}Z"

    def second(self, time_ms: int) -> str:
        """Return date, time to the second and zone: `2026-11-21 09:30:42 UTC`."""
        local = self._local(time_ms)
        return f"{time_ms} ms" if local is None else f"{local:%Y-%m-%d %H:%M:%S} {self._offset(local)}"

    def day(self, time_ms: int) -> str:
        """Return date and zone, as a heading over times of day: `2026-11-21 UTC`."""
        local = self._local(time_ms)
        return f"{time_ms} ms" if local is None else f"{local:%Y-%m-%d} {self._offset(local)}"

    def under(self, time_ms: int, head_ms: int) -> str:
        """Return the time of day where `day(head_ms)` is the heading, or date and time where the day is another."""
        local = self._local(time_ms)
        if local is None:
            return "?"
        if self.day(time_ms) == self.day(head_ms):
            return f"{local:%H:%M:%S}"
        return f"{local:%Y-%m-%d %H:%M}" + ("" if self._same_zone(time_ms, head_ms) else f" {self._offset(local)}")

    def sentence(self, text: str, heading: str = "") -> str:
        """Return a sentence with its stamps as moments in this zone.

        A time of day is enough where its date cannot be mistaken: under the heading of the only day in the sentence,
        or, without a heading, directly after a moment of the same day.
        """
        stamps = {one: at for one in _WORD.findall(text) if (at := self._read(one)) is not None}
        under = bool(heading) and {self.day(at) for at in stamps.values()} == {heading}
        day_before = ""

        def written(match: re.Match[str]) -> str:
            nonlocal day_before
            time_ms = stamps.get(match[1])
            if time_ms is None:
                return match[1]
            short = under or (not heading and self.day(time_ms) == day_before)
            day_before = self.day(time_ms)
            return self.moment(time_ms).split(" ")[1] if short else self.moment(time_ms)

        return _WORD.sub(written, text)

    def steps(self, texts: Sequence[str]) -> tuple[str, list[str]]:
        """Return the day of the first stamp in these sentences (may be empty), and the sentences under that heading."""
        times = (self._read(stamp) for text in texts for stamp in _WORD.findall(text))
        first_ms = next((time_ms for time_ms in times if time_ms is not None), None)
        heading = "" if first_ms is None else self.day(first_ms)
        return heading, [self.sentence(text, heading) for text in texts]

    def document(self, document: Document) -> Document:
        """Return a copy of the document with moments in this zone for the stamps of its sentences, except the steps."""
        return _with_sentences(document, self.sentence, lambda text: text)

    def _read(self, stamp: str) -> int | None:
        """Return a stamp as epoch milliseconds; None if it may be a name, or if there is no such day."""
        if stamp in self.names:
            return None
        try:
            moment = datetime.datetime.fromisoformat(stamp)
        except ValueError:
            return None
        return int(moment.timestamp() // 1) * 1000 + moment.microsecond // 1000

    def _same_zone(self, one_ms: int, other_ms: int) -> bool:
        one, other = self._local(one_ms), self._local(other_ms)
        return one is not None and other is not None and one.utcoffset() == other.utcoffset()

    def _local(self, time_ms: int) -> datetime.datetime | None:
        """Return the local time, or None for a number that is no time (negative, or from the year 9999 on)."""
        if not 0 <= time_ms < _LATEST_MS:
            return None
        return datetime.datetime.fromtimestamp(time_ms // 1000, tz=self.zone)

    def _offset(self, local: datetime.datetime) -> str:
        """Return `UTC` or the offset from it: the abbreviation of a zone is not unique."""
        return "UTC" if self.zone is datetime.UTC else local.isoformat(timespec="seconds")[_DATE_AND_TIME:]


def zone(name: str) -> datetime.tzinfo:
    """Return the time zone of a name such as `Europe/Berlin`. Raises UsageError for an unknown name."""
    if name.upper() == "UTC":
        return datetime.UTC
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as fault:
        raise UsageError(
            f"this machine has no time zone {name!r}.",
            wanted="UTC, or a name of the IANA time zone database such as Europe/Berlin",
            do="pip install tzdata, if the name is right",
        ) from fault


def _with_sentences(document: Document, rewrite: Rewrite, rewrite_step: Rewrite) -> Document:
    """Return a copy of the document in which the sentences of the analysis, and no foreign strings, are rewritten."""
    out = cast("dict[str, Any]", copy.deepcopy(document))
    for finding in out["findings"]:
        _rewrite(finding, _OWN_OF_FINDING, rewrite)
        _rewrite(finding, ("explanation",), rewrite_step)
        finding["cause"] = [rewrite(text) for text in finding["cause"]]
        _rewrite(finding["action"], ("summary", "warning"), rewrite)
        for step in finding.get("steps") or []:
            _rewrite(step, ("text",), rewrite_step)
        for part in finding.get("certainty") or []:
            _rewrite(part, ("because",), rewrite)
        for evidence in finding["evidence"]:
            _rewrite(evidence, ("label",), rewrite)
        _rewrite(finding.get("waiting") or {}, ("text",), rewrite)
    for opened in out["open_transactions"]:
        _rewrite(opened, ("why",), rewrite)
    for note in out["coverage"]["notes"]:
        _rewrite(note, ("note",), rewrite)
    return cast("Document", out)


def _rewrite(row: dict[str, Any], names: tuple[str, ...], rewrite: Rewrite) -> None:
    """Rewrite these values of an object, if present."""
    for name in names:
        if row.get(name):
            row[name] = rewrite(row[name])


def took_sentence(took: Mapping[str, float]) -> str:
    """Return how long each stage took, or nothing where that is not known."""
    return "Took: " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in took.items()) if took else ""
