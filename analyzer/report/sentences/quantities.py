"""From numbers of the document (offsets, bytes, milliseconds, counts) to the words that a report prints."""

import datetime

_KIB = 1024
_SMALL = 10
_MINUTE_MS, _HOUR_MS, _DAY_MS = 60_000, 3_600_000, 86_400_000
_LATEST_MS = 253_402_300_799_999
"""The end of the year 9999: beyond it a number is no time."""


def size(amount: int) -> str:
    """Return bytes as `366 B`, `1.4 K`, `12 M`; a step is 1024."""
    value, unit = float(amount), "B"
    for larger in "KMGT":
        if value < _KIB:
            break
        value, unit = value / _KIB, larger
    return f"{amount} B" if unit == "B" else f"{value:.1f} {unit}" if value < _SMALL else f"{value:.0f} {unit}"


def duration(length_ms: int) -> str:
    """Return milliseconds in the two largest units: `15 min 13 s`, `2 h 5 min`, `840 ms`."""
    if length_ms < 1000:  # noqa: PLR2004 - a second
        return f"{length_ms} ms"
    if length_ms < _MINUTE_MS:
        return f"{length_ms // 1000} s"
    if length_ms < _HOUR_MS:
        return f"{length_ms // _MINUTE_MS} min {length_ms % _MINUTE_MS // 1000} s"
    if length_ms < _DAY_MS:
        return f"{length_ms // _HOUR_MS} h {length_ms % _HOUR_MS // _MINUTE_MS} min"
    return f"{length_ms // _DAY_MS} d {length_ms % _DAY_MS // _HOUR_MS} h"


def moment(time_ms: int) -> str:
    """Return epoch milliseconds as date and time to the millisecond, UTC."""
    stamp = _stamp(time_ms)
    return f"{stamp:%Y-%m-%d %H:%M:%S}.{time_ms % 1000:03d}" if stamp else f"{time_ms} ms"


def clock(time_ms: int, day_of_ms: int | None) -> str:
    """Return the time of day, UTC, where the day is that of `day_of_ms`, else month, day and time, else the date."""
    stamp, today = _stamp(time_ms), None if day_of_ms is None else _stamp(day_of_ms)
    if stamp is None:
        return "?"
    if today is not None and stamp.date() == today.date():
        return f"{stamp:%H:%M:%S}"
    if today is not None and stamp.year == today.year:
        return f"{stamp:%m-%d %H:%M}"
    return f"{stamp:%Y-%m-%d}"


def counted(number: int, one: str, many: str = "") -> str:
    """Return `1 broker`, `3 brokers`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def span(first: int | None, last: int | None) -> str:
    """Return offsets as `16`, `16..17`; `-` where there are none."""
    if first is None:
        return "-"
    return str(first) if last is None or last == first else f"{first}..{last}"


def _stamp(time_ms: int) -> datetime.datetime | None:
    """Return the UTC time, or None for a number that is none (negative, or beyond the year 9999)."""
    if not 0 <= time_ms <= _LATEST_MS:
        return None
    return datetime.datetime.fromtimestamp(time_ms // 1000, tz=datetime.UTC)
