"""What `date` prints between the answers of tools: the moment of the next one, where it names its zone (RULES F 1)."""

import datetime
import re
from collections.abc import Callable, Mapping
from typing import Any

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_CLOCK = r"(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)(?: (?P<half>[AP]M))?"
_ZONE = r"(?P<zone>UTC|GMT|Z|[+-]\d\d:?\d\d)"
_PRINTED = re.compile(rf"\s*{_DAY} {_MONTH} +(?P<day>\d\d?) {_CLOCK} {_ZONE} (?P<year>\d{{4}})\s*")
"""`Thu Jan  2 09:00:00 UTC 2025`, `Thu Jan  2 09:00:00 AM UTC 2025`: nothing else writes that on a line of its own."""
_MAILED = re.compile(rf"\s*{_DAY},? (?P<day>\d\d?) {_MONTH} (?P<year>\d{{4}}),? {_CLOCK} {_ZONE}\s*")
"""`Thu, 02 Jan 2025 09:00:00 +0000` of `date -R`, and of mails."""
_ISO = re.compile(r"\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d| UTC)\s*")
"""`2025-01-02T09:00:00Z` of `date -Is`, and of a chat, which tells when something was posted."""
_TYPED = re.compile(r"\bdate\b")
_LONGEST = 60


def date_of(line: str, above: str = "") -> int | None:
    """Return the moment, epoch ms, of a line that is nothing but a date with its zone; None for any other.

    What others write, too, counts only where `date` was typed `above`.
    """
    if len(line) > _LONGEST:
        return None
    try:
        typed = _TYPED.search(above) is not None
        if typed and _ISO.fullmatch(line):
            text = line.strip().replace(" UTC", "+00:00").replace(",", ".")
            return round(datetime.datetime.fromisoformat(text).timestamp() * 1000)
        found = _PRINTED.fullmatch(line) or (_MAILED.fullmatch(line) if typed else None)
        return None if found is None else _moment(found)
    except ValueError:
        return None


def _moment(found: re.Match[str]) -> int:
    hour, zone = int(found["hour"]), found["zone"]
    if found["half"]:
        hour = hour % 12 + (12 if found["half"] == "PM" else 0)
    digits = zone[1:].replace(":", "") if zone[0] in "+-" else "0000"
    sign = -1 if zone.startswith("-") else 1
    offset = datetime.timedelta(hours=int(digits[:2]), minutes=int(digits[2:])) * sign
    at = datetime.datetime(
        int(found["year"]), _MONTHS.index(found["month"]) + 1, int(found["day"]), hour, int(found["minute"]),
        int(found["second"]), tzinfo=datetime.UTC,
    )  # fmt: skip
    return round((at - offset).timestamp() * 1000)


class Dates:
    """The last date that stands alone on its line, as long as it is that of the answer below."""

    def __init__(self) -> None:
        """Begin without any."""
        self._at: int | None = None
        self._commands = 0
        self._above = ""

    def see(self, line: str, is_command: Callable[[str], bool]) -> None:
        """Take a line: a date counts up to the second command below it."""
        if (at := date_of(line, self._above)) is not None:
            self._at, self._commands = at, 0
        elif self._at is not None and is_command(line):
            self._commands += 1
            if self._commands > 1:
                self._at = None
        self._above = line[:_LONGEST]

    def dated(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return an answer with its moment if it tells none; not if it tells of a batch that is newer than the date."""
        last_ms = answer.get("last_ms")
        newer = self._at is not None and isinstance(last_ms, int) and last_ms > self._at
        if self._at is None or newer or answer.get("answered_ms") is not None:
            return dict(answer)
        return {**answer, "answered_ms": self._at}
