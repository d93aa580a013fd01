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


class UnreadFile(TypedDict):
    """A file that no reader opened."""

    file: str
    bytes: NotRequired[int | None]


class NotRead(TypedDict):
    """Files that no reader opens for the same reason; the first of them by name, all of them counted.

    `may_matter`: they may hold evidence, so that the capture is not clean.
    """

    why: str
    may_matter: bool
    files: int
    bytes: int
    listed: list[UnreadFile]


class Omitted(TypedDict):
    """How many were counted but not written out."""

    findings: int
    open_transactions: int
    expiry: NotRequired[int | None]
    less_certain: NotRequired[int | None]
    fetch: NotRequired[int | None]
    rescuable: NotRequired[int | None]


class Failure(TypedDict):
    """Why a PATH of --each holds nothing to judge: what was found, what was wanted, what to do."""

    found: str
    wanted: NotRequired[str | None]
    do: NotRequired[str | None]
