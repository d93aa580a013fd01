"""Conditions on names that come from files, quoted as each writer reads them."""

from collections.abc import Iterable


def one_of_for_delta_rs(column: str, names: Iterable[str]) -> str:
    """Return the condition that the column is one of these, as delta-rs reads it: a quote within is doubled."""
    return _one_of(column, (name.replace("'", "''") for name in names))


def one_of_for_spark(column: str, names: Iterable[str]) -> str:
    """Return the same as Spark reads it: backslashes escape a quote within, and themselves."""
    return _one_of(column, (name.replace("\\", "\\\\").replace("'", "\\'") for name in names))


def _one_of(column: str, escaped: Iterable[str]) -> str:
    return f"{column} IN (" + ", ".join(f"'{name}'" for name in escaped) + ")"
