"""The words for numbers of a document: sizes, lengths of time, counts, offsets, the first few of many."""

from collections.abc import Sequence
from string import ascii_lowercase

_KIB = 1024
_SMALL = 10
_MINUTE_MS, _HOUR_MS, _DAY_MS = 60_000, 3_600_000, 86_400_000


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


def counted(number: int, one: str, many: str = "") -> str:
    """Return `1 broker`, `3 brokers`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def few(words: Sequence[str], most: int, others: str = "more") -> str:
    """Return the words in one phrase, of many the first: `a, b and 3 more`."""
    left = len(words) - most
    return ", ".join(words[:most]) + (f" and {left} {others}" if left > 0 else "")


def letters(place: int) -> str:
    """Return a, b, ... z, aa, ab, ... for 0, 1, ..."""
    before = letters(place // len(ascii_lowercase) - 1) if place >= len(ascii_lowercase) else ""
    return before + ascii_lowercase[place % len(ascii_lowercase)]


def span(first: int | None, last: int | None) -> str:
    """Return offsets as `16`, `16..17`; `-` where there are none."""
    if first is None:
        return "-"
    return str(first) if last is None or last == first else f"{first}..{last}"
