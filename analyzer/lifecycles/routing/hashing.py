"""The hash of an id whose remainder is its partition, as a Spark expression."""

from pyspark.sql import Column, functions as F

_WORD = 0xFFFFFFFF
_ASTRAL = 0x10000


def routing_hash(text: Column) -> Column:
    """Return `Utils.abs(String.hashCode)` of the text, a bigint of 0 to 2147483647 (see `kafka.hashing`).

    The hash runs over UTF-16 units: a character beyond U+FFFF counts as its two surrogates. Use it on distinct ids: it
    is slow.
    """
    letters = F.filter(F.split(text, ""), lambda letter: letter != "")
    points = F.transform(letters, lambda letter: F.ascii(letter).cast("bigint"))  # code points, not ASCII
    return F.aggregate(points, F.lit(0).cast("bigint"), _step, _absolute)


def _step(value: Column, point: Column) -> Column:
    """Return the hash after one more code point."""
    high, low = F.shiftright(point - _ASTRAL, 10) + 0xD800, (point - _ASTRAL).bitwiseAND(F.lit(0x3FF)) + 0xDC00
    units = F.when(point < _ASTRAL, value * 31 + point).otherwise((value * 31 + high) * 31 + low)
    return units.bitwiseAND(F.lit(_WORD))


def _absolute(value: Column) -> Column:
    """Return `Utils.abs` of the 32 bits, read as a signed number."""
    minimum = value == 1 << 31
    return F.when(minimum, F.lit(0).cast("bigint")).when(value > 1 << 31, (1 << 32) - value).otherwise(value)
