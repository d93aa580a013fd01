"""The types of the document's part on lines of logs and metrics."""

from typing import NotRequired, TypedDict


class LogLine(TypedDict):
    """A line of a log or of metrics that says something: what, about whom, what it proves, where it stands."""

    says: str
    source: str
    proves: str
    file: str
    line: int
    text: str
    at: NotRequired[int | None]
    topic: NotRequired[str | None]
    partition: NotRequired[int | None]
    transactional_id: NotRequired[str | None]
    producer_id: NotRequired[int | None]
    producer_epoch: NotRequired[int | None]
    offset: NotRequired[int | None]
    number: NotRequired[int | None]


class LogLines(TypedDict):
    """The first of these lines in the order of time, and how many there are."""

    total: int
    lines: list[LogLine]
