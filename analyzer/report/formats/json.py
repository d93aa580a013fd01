"""The JSON report: keys in the order of the contract, ASCII only, foreign strings whole but escaped."""

import functools
import json
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, get_args, get_type_hints, is_typeddict

from analyzer.report.document.types import Document
from analyzer.report.formats.look import Look


def json_report(document: Document, _: Look) -> str:
    """Return the document as indented JSON with a line end, as it is: moments stay in UTC."""
    return _escaped(json.dumps(ordered(document, Document), indent=2)) + "\n"


def render_line(document: Document) -> str:
    """Return the document as one line of JSON, without a line end."""
    return _escaped(json.dumps(ordered(document, Document), separators=(",", ":")))


_hints = functools.cache(get_type_hints)


def ordered(value: Any, shape: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value with the keys of every object in the order of its type; unknown keys come last."""
    known = _without_none(shape)
    if isinstance(value, Mapping):
        hints = _hints(known) if is_typeddict(known) else {}
        sorted_keys = {key: ordered(value[key], hint) for key, hint in hints.items() if key in value}
        return sorted_keys | {key: one for key, one in value.items() if key not in sorted_keys}
    if isinstance(value, list | tuple):
        inner = next(iter(get_args(known)), None)
        return [ordered(one, inner) for one in value]
    return value


def _without_none(shape: Any) -> Any:  # noqa: ANN401 - a type
    """Return an optional type without its None."""
    parts = get_args(shape) if isinstance(shape, UnionType) else ()
    return next((one for one in parts if one is not NoneType), shape)


def _escaped(text: str) -> str:
    r"""Return JSON text in which DEL is escaped too: json leaves U+007F as it is."""
    return text.replace("\x7f", "\\u007f")
