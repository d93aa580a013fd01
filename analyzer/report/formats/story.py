"""The incident in time as the page shows it: a picture, and the same as rows."""

import dataclasses
from collections.abc import Sequence

from analyzer.report.document.types import Document
from analyzer.report.pictures.story import story_picture
from analyzer.report.pictures.svg import Split
from analyzer.report.postmortem.events import Event, events, moment
from analyzer.report.postmortem.impact import held
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.triage import triage

MOST_ROWS = 200


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """An event in words."""

    time: str
    what: str
    source: str


@dataclasses.dataclass(frozen=True, slots=True)
class Story:
    """The picture, its rows, and how many more events there are."""

    picture: Split
    rows: tuple[Row, ...]
    left: int


def happened(document: Document, clock: Clock) -> list[Event]:
    """Return what the document dates, in its order; nothing where there is no incident."""
    triaged = triage(document)
    return events(document, held(triaged), clock) if triaged.incidents else []


def story(document: Document, told: Sequence[Event], clock: Clock) -> Story | None:
    """Return the story of these events; None where no two moments are known."""
    picture = story_picture(told, held(triage(document)), document["capture"]["captured_at"], clock)
    if picture is None:
        return None
    return Story(picture, tuple(row_of(one, clock) for one in told[:MOST_ROWS]), max(0, len(told) - MOST_ROWS))


def row_of(one: Event, clock: Clock) -> Row:
    """Return an event in words."""
    return Row(moment(one, clock), one.what, one.source)
