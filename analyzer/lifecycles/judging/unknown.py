"""Values that may be unknown: a comparison with one does not hold, a sum with one is unknown."""


def before(one: int | None, other: int | None) -> bool:
    """Return whether both are known and the first is less."""
    return one is not None and other is not None and one < other


def at_most(one: int | None, other: int | None) -> bool:
    """Return whether both are known and the first is not more."""
    return one is not None and other is not None and one <= other


def plus(one: int | None, other: int | None) -> int | None:
    """Return the sum of both, None if one is unknown."""
    return None if one is None or other is None else one + other


def minus(one: int | None, other: int | None) -> int | None:
    """Return the first without the second, None if one is unknown."""
    return None if one is None or other is None else one - other


def first_known(*values: int | None) -> int | None:
    """Return the first value that is known, None for none."""
    return next((value for value in values if value is not None), None)


def least(*values: int | None) -> int | None:
    """Return the least of the values that are known, None for none."""
    return min((value for value in values if value is not None), default=None)


def greatest(*values: int | None) -> int | None:
    """Return the greatest of the values that are known, None for none."""
    return max((value for value in values if value is not None), default=None)
