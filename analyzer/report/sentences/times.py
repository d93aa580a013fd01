"""Moments in the reader's time zone: those in the sentences of a document, and its epoch milliseconds.

A sentence of a document holds each moment in full, `2026-11-21T09:30:42.123Z`, and its row tells where (`moments`).
The JSON report keeps that form; every other format shows the moment in the reader's time zone, with date and zone.
A document of an older program does not tell where: its moments stay as they are, complete and in UTC.
"""

import dataclasses
import datetime
import functools
import zoneinfo
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from analyzer.errors import UsageError
from analyzer.report.document.types import Document, Finding
from analyzer.tables.moments import LENGTH, Moment, moments_of

_LATEST_MS = 253_370_764_800_000
"""The beginning of the year 9999: a larger number is no time, in any zone."""
_DATE_AND_TIME = len("2026-11-21T09:30:42")
_STEPS = "/steps/"


@dataclasses.dataclass(frozen=True, slots=True)
class Clock:
    """Writes moments (epoch milliseconds) in one time zone."""

    zone: datetime.tzinfo = datetime.UTC

    def moment(self, time_ms: int) -> str:
        """Return date, time to the millisecond and zone: `2026-11-21 09:30:42.123 UTC`, `... 10:30:42.123 +01:00`."""
        return self._written(time_ms, f"%Y-%m-%d %H:%M:%S.{time_ms % 1000:03d} %Z")

    def time(self, time_ms: int) -> str:
        """Return the time of day to the millisecond: `09:30:42.123`."""
        return self._written(time_ms, f"%H:%M:%S.{time_ms % 1000:03d}")

    def offset(self, time_ms: int) -> str:
        """Return the zone at a moment: `UTC`, `+01:00`."""
        local = self._local(time_ms)
        return "UTC" if local is None else self._offset(local)

    def stamp(self, time_ms: int) -> str:
        """Return a moment as the names of captures end with it: `2026-11-21T09:30:42.123Z`, in this zone."""
        local = self._local(time_ms)
        return f"{time_ms}" if local is None else f"{local:%Y-%m-%dT%H:%M:%S}.{time_ms % 1000:03d}Z"

    def second(self, time_ms: int) -> str:
        """Return date, time to the second and zone: `2026-11-21 09:30:42 UTC`."""
        return self._written(time_ms, "%Y-%m-%d %H:%M:%S %Z")

    def day(self, time_ms: int) -> str:
        """Return date and zone, as a heading over times of day: `2026-11-21 UTC`."""
        return self._written(time_ms, "%Y-%m-%d %Z")

    def under(self, time_ms: int, head_ms: int) -> str:
        """Return the time of day where `day(head_ms)` is the heading, or date and time where the day is another."""
        local = self._local(time_ms)
        if local is None:
            return "?"
        if self.day(time_ms) == self.day(head_ms):
            return f"{local:%H:%M:%S}"
        return f"{local:%Y-%m-%d %H:%M}" + ("" if self._same_zone(time_ms, head_ms) else f" {self._offset(local)}")

    def sentence(self, text: str, moments: Sequence[Moment], heading: str = "") -> str:
        """Return a sentence with its moments in this zone.

        A time of day is enough where its date cannot be mistaken: under the heading of the only day in the sentence,
        or, without a heading, directly after a moment of the same day.
        """
        under = bool(heading) and {self.day(one["ms"]) for one in moments} == {heading}
        told, begun, day_before = "", 0, ""
        for one in moments:
            day = self.day(one["ms"])
            short = under or (not heading and day == day_before)
            told += text[begun : one["start"]] + (self.time(one["ms"]) if short else self.moment(one["ms"]))
            begun, day_before = one["start"] + LENGTH, day
        return told + text[begun:]

    def said(self, row: Mapping[str, Any], name: str) -> str:
        """Return the sentence that a row has under this name, with its moments in this zone."""
        return self.sentence(row[name], moments_of(row, f"/{name}"))

    def steps(self, finding: Finding) -> tuple[str, list[str]]:
        """Return the day of the first moment in a finding's steps (may be empty), and the steps under that heading."""
        texts = [step["text"] for step in finding.get("steps") or []]
        moments = [moments_of(finding, f"{_STEPS}{place}/text") for place in range(len(texts))]
        heading = next((self.day(one["ms"]) for some in moments for one in some), "")
        return heading, [self.sentence(text, some, heading) for text, some in zip(texts, moments, strict=True)]

    def document(self, document: Document) -> Document:
        """Return the document with the moments of its sentences in this zone, except those of steps."""
        findings = [self._told(one) for one in document["findings"]]
        opened = [self._told(one) for one in document["open_transactions"]]
        return cast("Document", {**document, "findings": findings, "open_transactions": opened})

    def _told(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        for of in dict.fromkeys(one["sentence"] for one in row.get("moments") or ()):
            if not of.startswith(_STEPS):
                row = _rewritten(row, of.split("/")[1:], functools.partial(self.sentence, moments=moments_of(row, of)))
        return row

    def _same_zone(self, one_ms: int, other_ms: int) -> bool:
        one, other = self._local(one_ms), self._local(other_ms)
        return one is not None and other is not None and one.utcoffset() == other.utcoffset()

    def _local(self, time_ms: int) -> datetime.datetime | None:
        """Return the local time, or None for a number that is no time (negative, or from the year 9999 on)."""
        if not 0 <= time_ms < _LATEST_MS:
            return None
        return datetime.datetime.fromtimestamp(time_ms // 1000, tz=self.zone)

    def _written(self, time_ms: int, form: str) -> str:
        """Return a moment in a form of strftime, with our own words for the zone."""
        local = self._local(time_ms)
        return f"{time_ms} ms" if local is None else local.strftime(form.replace("%Z", self._offset(local)))

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


def _rewritten(value: Any, path: Sequence[str], rewrite: Callable[[str], str]) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value in which the string at the end of this path, if there is one, is another; the rest is shared."""
    if not path:
        return rewrite(value) if isinstance(value, str) else value
    if isinstance(value, Mapping) and path[0] in value:
        return {**value, path[0]: _rewritten(value[path[0]], path[1:], rewrite)}
    if isinstance(value, list) and path[0].isdecimal():
        return [_rewritten(one, path[1:], rewrite) if str(at) == path[0] else one for at, one in enumerate(value)]
    return value
