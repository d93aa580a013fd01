"""Moments in sentences: values in a template while it is written, places in the sentence once it is.

A template is a string in which a moment is epoch milliseconds between two characters that Unicode reserves for use
inside a program: f-strings carry it like any word. `sentence` writes it out once, in UTC, and says where its moments
are; what is stored, or shown, is the sentence. `foreign` is for text that is not ours: it comes out as it was.
"""

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

LATEST_MS = 253_402_300_799_999
"""The end of the year 9999: a larger number is no time."""
_BEGIN, _END, _ESCAPE = "\ufdd0", "\ufdd1", "\ufdd2"
_PART = re.compile(f"{_BEGIN}([0-9]+){_END}|{_ESCAPE}([0-2])")
_RESERVED = re.compile(f"[{_BEGIN}{_END}{_ESCAPE}]")
LENGTH = len("2026-11-21T09:30:42.123Z")
"""Characters of a moment in a sentence."""


class Moment(TypedDict):
    """A moment in a sentence of a row: which, as a JSON Pointer from the row, where it begins, and what it is."""

    sentence: str
    start: int
    ms: int


def moment(ms: int | None) -> str:
    """Return a moment for a template; `an unknown time` for none, and for a number that is no time."""
    return "an unknown time" if ms is None or not 0 <= ms <= LATEST_MS else f"{_BEGIN}{ms}{_END}"


def utc(ms: int) -> str:
    """Return a moment in full, as ISO 8601 in UTC with milliseconds: `2026-11-21T09:30:42.123Z`."""
    at = datetime.datetime.fromtimestamp(ms // 1000, datetime.UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03d}Z"


def foreign(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value with its strings for a template: nothing in them is taken for a moment."""
    if isinstance(value, str):
        return _RESERVED.sub(lambda found: f"{_ESCAPE}{ord(found[0]) - ord(_BEGIN)}", value)
    if isinstance(value, Mapping):
        return {key: foreign(one) for key, one in value.items()}
    return [foreign(one) for one in value] if isinstance(value, list | tuple) else value


def sentence(template: str, of: str = "") -> tuple[str, list[Moment]]:
    """Return the sentence of a template, moments in UTC, and where these are; `of` is the pointer to the sentence."""
    told, begun, moments = "", 0, list[Moment]()
    for part in _PART.finditer(template):
        told += template[begun : part.start()]
        begun = part.end()
        if part[1] is None:
            told += chr(ord(_BEGIN) + int(part[2]))
            continue
        moments.append({"sentence": of, "start": len(told), "ms": int(part[1])})
        told += utc(int(part[1]))
    return told + template[begun:], moments


def template(text: str, moments: Sequence[Moment]) -> str:
    """Turn a written sentence back into a template, so that a longer one can quote it."""
    told, begun = "", 0
    for one in moments:
        told += f"{foreign(text[begun : one['start']])}{moment(one['ms'])}"
        begun = one["start"] + LENGTH
    return f"{told}{foreign(text[begun:])}"


def stated(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of templates, however deep they are in it, as sentences, and `moments`, where it has any."""
    moments: list[Moment] = []
    told: dict[str, Any] = _stated(row, "", moments)
    return told | ({"moments": moments} if moments else {})


def _stated(value: Any, of: str, moments: list[Moment]) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        told, found = sentence(value, of)
        moments += found
        return told
    if isinstance(value, Mapping):
        return {key: _stated(one, f"{of}/{key}", moments) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_stated(one, f"{of}/{place}", moments) for place, one in enumerate(value)]
    return value


def moments_of(row: Mapping[str, Any], of: str) -> list[Moment]:
    """Return the moments of one sentence of a row; none are known of a row that an older program wrote."""
    return [one for one in row.get("moments") or () if one["sentence"] == of]
