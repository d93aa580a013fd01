r"""Reads YAML as tools in Go print their answers: maps and lists in blocks, lists of numbers on one line, scalars.

- broker: 1                             - summary:                   name: orders
  transaction_id: pay-1                     name: orders             partitions:
  producer_id: 5017                       partitions:                - id: 3
  state: Ongoing                            - partition: 3             newestOffset: 1042
                                                                       replicas: [1, 2]
Source: `yaml.v3` and `yaml.v2`, as rpk and kafkactl use them. Anchors, tags and texts of several lines are not read.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

_PAIR = re.compile(r"([A-Za-z_][\w.-]{0,80}):(?: +(.*))?")
_ITEM = re.compile(r"-(?: +(.*))?")
_LIST = re.compile(r"\[([^\[\]{}\"']*)\]")
_INTEGER = re.compile(r"-?\d{1,19}")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "~": None, "": None, "{}": {}, "[]": []}
_DEEPEST = 12


class NoYamlError(ValueError):
    """A text is none of this part of YAML."""


def yaml_value(lines: Sequence[str]) -> Any:  # noqa: ANN401 - a value as of JSON
    """Return what lines say. Raises NoYamlError where one of them is none of this part of YAML."""
    rows = [(len(line) - len(line.lstrip(" ")), line.strip()) for line in lines if line.strip()]
    value, end = _block(rows, 0, 0)
    if end < len(rows):
        raise NoYamlError(rows[end][1])
    return value


def _block(rows: list[tuple[int, str]], at: int, depth: int) -> tuple[Any, int]:
    """Return the map or list that begins at a row, and the first row after it."""
    if depth > _DEEPEST or at >= len(rows):
        raise NoYamlError("too deep" if depth > _DEEPEST else "nothing")
    return (_items if _ITEM.fullmatch(rows[at][1]) else _pairs)(rows, at, depth)


def _items(rows: list[tuple[int, str]], at: int, depth: int) -> tuple[list[Any], int]:
    indent, found = rows[at][0], list[Any]()
    while at < len(rows) and rows[at][0] == indent and (item := _ITEM.fullmatch(rows[at][1])):
        rest = item[1] or ""
        if _PAIR.fullmatch(rest):
            inner = indent + len(rows[at][1]) - len(rest)
            rows[at] = (inner, rest)
            value, at = _pairs(rows, at, depth + 1)
        elif rest:
            value, at = _scalar(rest), at + 1
        else:
            value, at = _block(rows, at + 1, depth + 1)
        found.append(value)
    return found, at


def _pairs(rows: list[tuple[int, str]], at: int, depth: int) -> tuple[dict[str, Any], int]:
    indent, found = rows[at][0], dict[str, Any]()
    while at < len(rows) and rows[at][0] == indent and (pair := _PAIR.fullmatch(rows[at][1])):
        at += 1
        if pair[2] is None and at < len(rows) and _goes_on(rows[at], indent):
            found[pair[1]], at = _block(rows, at, depth + 1)
        else:
            found[pair[1]] = _scalar(pair[2] or "")
    if not found:
        raise NoYamlError(rows[at][1])
    return found, at


def _goes_on(row: tuple[int, str], indent: int) -> bool:
    """Return whether a row is of the value of the name above it: the items of a list may stand below its first sign."""
    return row[0] > indent or (row[0] == indent and _ITEM.fullmatch(row[1]) is not None)


def _scalar(text: str) -> Any:  # noqa: ANN401 - a value as of JSON
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if flow := _LIST.fullmatch(text):
        return [_scalar(one.strip()) for one in flow[1].split(",")]
    if text[:1] == '"':
        try:
            return json.loads(text)
        except ValueError as fault:
            raise NoYamlError(text) from fault
    if text[:1] == "'" == text[-1:] and len(text) > 1:
        return text[1:-1].replace("''", "'")
    if text[0] in "{[|>&*!%@`\"'":
        raise NoYamlError(text)
    return text
