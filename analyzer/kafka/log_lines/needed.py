"""Which words a regular expression needs: a line without them need not be searched.

A look for a word costs a hundredth of a search, and most lines of a log have the words of no pattern.
"""

from collections.abc import Iterable
from re import _parser  # type: ignore[attr-defined]
from typing import Any

Value = Any
"""What a part of a parsed expression has, by its kind."""
Words = frozenset[str]
"""Words in lower case, one of which stands in whatever is found; none: nothing is known."""
_SHORTEST = 5
_REPEATS = (_parser.MAX_REPEAT, _parser.MIN_REPEAT)


def needed(regex: str) -> tuple[Words, ...]:
    """Return the words of each part that cannot be left out; of short words only those that are all there is."""
    parts = sorted(_of_parts(_parser.parse(regex)), key=_shortest)
    return tuple(one for one in parts if _shortest(one) >= _SHORTEST) or tuple(parts[-1:])


def _of_parts(parts: Iterable[tuple[object, Value]]) -> list[Words]:
    found, run = [], ""
    for kind, value in parts:
        if kind is _parser.LITERAL:
            run += chr(value).lower()
            continue
        found += [frozenset([run]), *_of_part(kind, value)]
        run = ""
    return list(filter(_shortest, (*found, frozenset([run]))))


def _of_part(kind: object, value: Value) -> list[Words]:
    if kind is _parser.SUBPATTERN:
        return _of_parts(value[-1])
    if kind is _parser.ASSERT:
        return _of_parts(value[1])
    if kind in _REPEATS and value[0] > 0:
        return _of_parts(value[2])
    if kind is _parser.BRANCH:
        each = [max(_of_parts(branch), key=_shortest, default=frozenset()) for branch in value[1]]
        return [frozenset().union(*each)] if all(each) else []
    return []


def _shortest(words: Words) -> int:
    return min(map(len, words), default=0)
