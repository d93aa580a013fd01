"""What `date` prints between the answers of tools: the moment of the next one, where it names its zone (RULES F 1)."""

import datetime
import re
from collections.abc import Callable, Mapping
from typing import Any

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH = rf"(?P<month>{'|'.join(MONTHS)})"
_CLOCK = r"(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)(?: (?P<half>[AP]M))?"
_ZONE = r"(?P<zone>[A-Z]{1,5}|[+-]\d\d(?::?\d\d)?)"
_PRINTED = re.compile(rf"\s*{_DAY} {_MONTH} +(?P<day>\d\d?) {_CLOCK} {_ZONE} (?P<year>\d{{4}})\s*")
"""`Thu Jan  2 09:00:00 UTC 2025`, `Thu Jan  2 09:00:00 AM UTC 2025`: nothing else writes that on a line of its own."""
_MAILED = re.compile(rf"\s*{_DAY},? (?P<day>\d\d?) {_MONTH} (?P<year>\d{{4}}),? {_CLOCK} {_ZONE}\s*")
"""`Thu, 02 Jan 2025 09:00:00 +0000` of `date -R`, and of mails."""
_ISO = re.compile(rf"\s*(\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?) ?{_ZONE}?\s*")
"""`2025-01-02T09:00:00Z` of `date -Is`, and of a chat, which tells when something was posted."""
_SECONDS = re.compile(r"\s*(\d{10})(\d{3})?\s*")
"""Since 1970, of `date +%s` or `+%s%3N`."""
_UNIVERSAL = re.compile(rf"\s*Universal time: {_DAY} (\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d) {_ZONE}\s*")
"""Of `timedatectl`."""
UTC = ("UTC", "GMT", "Z")
"""Names that stand for one zone: CET and IST are of several lands, with or without summer."""
NAMED_ZONES = (
    "UTC|GMT|CES?T|EES?T|WES?T|BST|IST|MSK|[ECMP][SD]T|AK[SD]T|HD?ST|A[CEW][SD]T|NZ[SD]T|[JK]ST"
    "|SGT|HKT|PHT|WIB|BRT|ART|CLT"
)
"""Names of zones as programs put them after a time: a word like INFO may stand there, too."""
_TYPED = re.compile(r"(?<![\w./=-])(?:Get-)?date(?![\w./=-])", re.IGNORECASE)
_LONGEST, _LONGEST_COMMAND = 60, 400
Place = tuple[int, int, int]
"""Section, line and offset of a line."""


def date_of(line: str, above: str = "") -> int | str | None:
    """Return the moment, epoch ms, of a line that is nothing but a date with its zone; None for any other.

    What others write, too, counts only where `date` was typed `above`. A zone is an offset from UTC, or UTC by name;
    where none is told, or a name that stands for several, the moment is "".
    """
    if len(line) > _LONGEST:
        return None
    typed = _TYPED.search(above) is not None
    try:
        if typed and (found := _SECONDS.fullmatch(line)) and "%s" in above:
            return int(found[1]) * 1000 + int(found[2] or 0)
        if found := (typed and _ISO.fullmatch(line)) or _UNIVERSAL.fullmatch(line):
            offset = _offset(found["zone"])
            moment = datetime.datetime.fromisoformat(found[1].replace(",", ".") + "+00:00")
        elif found := _PRINTED.fullmatch(line) or (_MAILED.fullmatch(line) if typed else None):
            offset, moment = _offset(found["zone"]), _moment(found)
        else:
            return None
        return "" if offset is None else round((moment - offset).timestamp() * 1000)
    except ValueError:
        return None


def _offset(zone: str | None) -> datetime.timedelta | None:
    """Return how far a zone is from UTC, None for a name of others and for none."""
    if zone in UTC:
        return datetime.timedelta()
    if zone is None or zone.isalpha():
        return None
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return datetime.timedelta(hours=int(digits[:2]), minutes=int(digits[2:])) * (-1 if zone[0] == "-" else 1)


def _moment(found: re.Match[str]) -> datetime.datetime:
    """Return what a date shows, as if its zone were UTC."""
    return datetime.datetime(
        int(found["year"]), MONTHS.index(found["month"]) + 1, int(found["day"]), hour_of(found["hour"], found["half"]),
        int(found["minute"]), int(found["second"]), tzinfo=datetime.UTC,
    )  # fmt: skip


def hour_of(told: str, half: str | None) -> int:
    """Return the hour of the day; `half` is AM or PM, or how one of them begins, in either case."""
    hour = int(told)
    return hour % 12 + (12 if half[0] in "Pp" else 0) if half else hour


class Dates:
    """The last date that stands alone on its line, as long as it is that of the answer below."""

    def __init__(self) -> None:
        """Begin without any."""
        self._at: int | None = None
        self._unclear: tuple[str, Place] | None = None
        self._commands = 0
        self._above = ""

    def see(self, line: str, place: Place, is_command: Callable[[str], bool]) -> bool:
        """Take a line, and return whether it is a date: that counts up to the second command below it.

        Where one command asks for the date and for the answer, up to the next.
        """
        if (found := date_of(line, self._above)) is not None:
            self._at = found if isinstance(found, int) else None
            self._unclear = None if isinstance(found, int) else (line.strip(), place)
            self._commands = int(is_command(self._above))
        elif (self._at is not None or self._unclear) and is_command(line):
            self._commands += 1
            if self._commands > 1:
                self._at = self._unclear = None
        self._above = line[:_LONGEST_COMMAND]
        return found is not None

    def dated(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return an answer with its moment if it tells none; not if it tells of a batch that is newer than the date."""
        last_ms = answer.get("last_ms")
        newer = self._at is not None and isinstance(last_ms, int) and last_ms > self._at
        if self._at is None or newer or answer.get("answered_ms") is not None:
            return dict(answer)
        return {**answer, "answered_ms": self._at}

    def unclear(self, answer: Mapping[str, Any]) -> tuple[str, Place] | None:
        """Return once the date, and its place, that would date an answer if its zone were clear."""
        open_or_told = answer.get("first_offset") is not None or answer.get("state") is not None
        if answer.get("answered_ms") is not None or not open_or_told:
            return None
        found, self._unclear = self._unclear, None
        return found
