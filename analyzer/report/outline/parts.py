"""What an outline is made of: sections of parts, each part one kind of content, without any layout."""

import dataclasses
from typing import Literal

from analyzer.report.actions.steps import Step
from analyzer.report.sentences.quotes import Quote

Tone = Literal["plain", "title", "danger", "action", "quiet"]


@dataclasses.dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str
    tone: Tone = "plain"


@dataclasses.dataclass(frozen=True, slots=True)
class Item:
    """An entry of a list: a sentence, what belongs to it, the foreign line it is about, the finding it is about."""

    text: str
    details: tuple[str, ...] = ()
    quote: str | None = None
    finding_id: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """A row of the table of actions; `records` and `bytes` are the two halves of what waits.

    `number` is that of its incident, `owner` whose that is and its fault; `more`: the numbers and owners of the others
    that the row counts. `step`: where the plan of that incident, which is about another place, ends it. `discards`: the
    records of them all that aborts discard, empty for none. `also`: what findings that are folded under it add.
    """

    number: str
    action: str
    place: str
    lso: str
    records: str
    bytes: str
    since: str
    owner: str
    step: int | None = None
    more: tuple[tuple[str, str], ...] = ()
    discards: str = ""
    also: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Actions:
    """The table of actions of a page, and the day and zone of its times."""

    rows: tuple[Row, ...]
    caption: str


@dataclasses.dataclass(frozen=True, slots=True)
class Told:
    """A line of the first screen: its label, a sentence, how sure that is (may be empty), commands of its own.

    `lines`: a screen has no more for it; 0 where it has as many as it takes.
    """

    label: str
    text: str
    sure: str = ""
    commands: tuple[str, ...] = ()
    lines: int = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Opened:
    """What one transaction, or one finding about no transaction, has in one row of the first screen.

    `letter` is that of its cause. `places`: where it is open, with a `*` where the LSO stands.
    `notes` are what must be known beside the action.
    """

    letter: str
    number: str
    owner: str
    places: str
    waiting: str
    since: str
    decided: str
    action: str
    discards: str
    sure: str
    notes: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Transactions:
    """The table of the first screen, and what dates its times and explains its sign."""

    rows: tuple[Opened, ...]
    caption: str


@dataclasses.dataclass(frozen=True, slots=True)
class Identity:
    """What a finding is: name, code, severity, confidence, id, and the names and codes of what is folded under it."""

    name: str
    code: str
    severity: str
    confidence: str
    id: str
    folded: tuple[tuple[str, str], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Drawing:
    """Lines whose columns must stay aligned: a picture of offsets, a table of numbers."""

    lines: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Reason:
    """A step of an explanation, and the letters of the evidence that it rests on."""

    text: str
    letters: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """A paragraph with a label."""

    label: str
    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Group:
    """Parts under a small heading inside an incident."""

    title: str
    parts: tuple["Part", ...]


Part = Text | Item | Told | Transactions | Identity | Step | Drawing | Reason | Quote | Field | Group


@dataclasses.dataclass(frozen=True, slots=True)
class Section:
    """Blocks of parts under a title (may be empty); an incident that is told in full has its number."""

    title: str
    blocks: tuple[tuple[Part, ...], ...]
    number: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Outline:
    """A report: its title, and its sections in their order."""

    title: str
    sections: tuple[Section, ...]
