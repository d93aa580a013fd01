"""The parts of the document that count what it does not show line by line, as types."""

from typing import NotRequired, TypedDict


class UnparsedRun(TypedDict):
    """Neighbouring lines that no grammar took: the first of them, and how many."""

    file: str
    line: int
    text: str
    reason: str
    lines: int


class Unparsed(TypedDict):
    """All lines that no grammar took."""

    lines: int
    files: list[UnparsedRun]


class Omitted(TypedDict):
    """How many were counted but not written out."""

    findings: int
    open_transactions: int
    expiry: NotRequired[int | None]
    less_certain: NotRequired[int | None]
    fetch: NotRequired[int | None]
