"""The incident in time as the page shows it: a picture, and the same as rows."""

import dataclasses

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


def story(document: Document, clock: Clock) -> Story | None:
    """Return the story; None where there is no incident, or no two moments of it are known."""
    triaged = triage(document)
    rows = held(triaged)
    told = events(document, rows, clock) if triaged.incidents else []
    picture = story_picture(told, rows, document["capture"]["captured_at"], clock)
    if picture is None:
        return None
    return Story(picture, tuple(_row(one, clock) for one in told[:MOST_ROWS]), max(0, len(told) - MOST_ROWS))


def _row(one: Event, clock: Clock) -> Row:
    return Row(moment(one, clock), one.what, one.source)
