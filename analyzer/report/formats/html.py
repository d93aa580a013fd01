"""The HTML report: one file that asks for nothing, complete without JavaScript; no foreign string can be markup."""

import base64
import dataclasses
import functools
import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.report.document.types import Document, Finding, Partition
from analyzer.report.formats.look import Look
from analyzer.report.formats.page import Page
from analyzer.report.outline.page import Group, contents
from analyzer.report.outline.parts import Outline
from analyzer.report.pictures.growth import Around, growth_picture
from analyzer.report.pictures.known import known_of
from analyzer.report.pictures.lanes import changes_of, split_lanes
from analyzer.report.pictures.offsets import strip_picture
from analyzer.report.pictures.plots import places_picture, thresholds_picture
from analyzer.report.pictures.story import story_picture
from analyzer.report.pictures.svg import Split
from analyzer.report.postmortem.events import Event, happened, moment
from analyzer.report.postmortem.impact import held
from analyzer.report.sentences.cells import is_safe, visible
from analyzer.report.sentences.commands import UNSAFE
from analyzer.report.sentences.quantities import counted, size
from analyzer.report.sentences.quotes import place_of
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.blast_radius import blast_radius
from analyzer.report.triage.incident import names_its_place
from analyzer.report.triage.triage import triage

MOST_PARTITIONS, MOST_EVENTS = 500, 200
ROWS_OPEN = 500
"""So many findings without a card stand open; more are folded in groups of as many, which no browser lays out."""
OPEN_CARDS = 3
"""So many findings stand open; of more, the first."""
_OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*(?:\.[a-z0-9]+)*")
LANES_HIGH = 700.0
"""Time lanes stand open until they are so many px high together; the others are folded."""
QUIET = 5
"""More partitions than these are folded, where nothing waits in them."""


@dataclasses.dataclass(frozen=True, slots=True)
class Story:
    """The incident in time: a picture, the same as rows (time, what, source), and how many more events there are."""

    picture: Split
    rows: list[tuple[str, str, str]]
    left: int


def html_report(document: Document, look: Look, comparison: Outline | None = None) -> str:
    """Return the report as one HTML page, below a comparison if there is one; color has no meaning here."""
    clock = look.clock
    told = clock.document(document)
    page = contents(told, clock, look.took)
    happenings = [group.happening for group in page.groups if group.happening]
    taken, known, events = told["capture"]["captured_at"], known_of(told), happened(told, clock)
    told_events, around = _story(told, events, clock), Around(taken, events, known, told.get("incidents") or ())
    judged = [one for one in told["partitions"] if one["authority"]]
    judged.sort(key=lambda one: (not one["blocked_records"], one["topic"], one["partition"]))
    still = [one for one in judged if not one["blocked_records"]]
    quiet = _many([one for one in still if one["topic"] == STATE_TOPIC])
    waits = len(still) < len(judged)
    idle = _many([one for one in still if one["topic"] != STATE_TOPIC]) if waits else []
    shown = [one for one in judged if one not in quiet and one not in idle]
    codes = dict.fromkeys(one["code"] for group in page.groups for one in group.findings)
    places = [picture for one in told["routing"].get("topics") or [] if (picture := places_picture(one))]
    blast, thresholds = blast_radius(told), thresholds_picture(told.get("thresholds") or [])
    return _filled(
        "report.html",
        page=page,
        rows_open=ROWS_OPEN,
        document=told,
        comparison=comparison,
        clock=clock,
        partitions=shown[:MOST_PARTITIONS],
        partitions_quiet=quiet,
        partitions_idle=idle[:MOST_PARTITIONS],
        partitions_left=max(0, len(shown) - MOST_PARTITIONS) + max(0, len(idle) - MOST_PARTITIONS),
        growth=[
            (f"{one['topic']}-{one['partition']}", drawn)
            for one in judged
            if (drawn := growth_picture(one, around, clock))
        ],
        pages=[look.pages[code] for code in codes if code in look.pages],
        explained_codes=look.pages.keys() & codes.keys(),
        lanes_high=LANES_HIGH,
        lanes={one["id"]: split_lanes(one["timeline"], taken, clock, known, events) for one in happenings},
        changed={one["id"]: _rows(changes_of(one["timeline"], taken, events), clock) for one in happenings},
        story=told_events,
        blast=blast,
        cards_open=_open_cards(page.groups),
        strips={one["id"]: _strip(one, group) for group in page.groups for one in group.findings},
        places=places,
        thresholds=thresholds,
    )


def page_html(page: Page) -> str:
    """Return the page of `explain CODE` as HTML."""
    return _filled("explain.html", page=page)


def _many(partitions: list[Partition]) -> list[Partition]:
    """Return the partitions if they are so many that they are folded."""
    return partitions if len(partitions) > QUIET else []


def _story(document: Document, told: Sequence[Event], clock: Clock) -> Story | None:
    """Return the story of these events; None where no two moments are known."""
    picture = story_picture(told, held(triage(document)), document["capture"]["captured_at"], clock)
    if picture is None:
        return None
    return Story(picture, _rows(told[:MOST_EVENTS], clock), max(0, len(told) - MOST_EVENTS))


def _rows(events: Sequence[Event], clock: Clock) -> list[tuple[str, str, str]]:
    return [(moment(one, clock), one.what, one.source) for one in events]


def _open_cards(groups: Sequence[Group]) -> frozenset[str]:
    """Return the numbers of the findings that stand open: all where they are few, else the first."""
    numbers = [card.incident.number for group in groups for card in group.cards]
    return frozenset(numbers if len(numbers) <= OPEN_CARDS else numbers[:1])


def _strip(finding: Finding, group: Group) -> Markup | None:
    """Return the offset strip of a finding, with the leader epochs that its timeline knows."""
    strip = finding.get("strip")
    if not strip:
        return None
    lanes = group.happening["timeline"]["logs"] if group.happening else []
    here = [one for one in lanes if (one["topic"], one["partition"]) == (finding["topic"], finding["partition"])]
    epochs: Mapping[str, Mapping[int, int]] = {
        one["replica"]: {start["start_offset"]: start["epoch"] for start in one["epochs"]} for one in here
    }
    return strip_picture(strip, epochs)


@functools.cache
def _environment() -> Environment:
    """Return the templates' environment: everything is escaped, and a name that does not exist is an error."""
    environment = Environment(
        loader=PackageLoader("analyzer.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = _file("pictures.css") + _file("report.css"), _file("report.js")
    environment.globals |= {
        "style": Markup(style),  # noqa: S704 - our own file
        "script": Markup(script),  # noqa: S704 - our own file
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "unsafe": UNSAFE,
    }
    environment.filters |= {
        "visible": visible, "unsplit": _unsplit, "counted": counted, "size": size,
        "kind": lambda part: type(part).__name__,
        "is_safe": is_safe, "place_of": place_of, "names_its_place": names_its_place,
    }  # fmt: skip
    return environment


def _shown(value: object) -> object:
    """Return a text with its control characters written out; line ends stay."""
    if type(value) is not str:
        return value
    return "\n".join(map(visible, value.split("\n")))


def _unsplit(text: str) -> Markup:
    """Return a text whose options (`--topic`) are on one line each, whatever the width of the page."""
    shown = "\n".join(map(visible, text.split("\n")))
    parts, at = [], 0
    for found in _OPTION.finditer(shown):
        parts += [escape(shown[at : found.start()]), Markup('<span class="option">{}</span>').format(found[0])]
        at = found.end()
    return Markup("").join([*parts, escape(shown[at:])])


def _filled(name: str, **values: object) -> str:
    """Return a template with these values."""
    return str(_environment().get_template(name).render(**values))


@functools.cache
def _file(name: str) -> str:
    return files("analyzer.report").joinpath("templates", name).read_text("utf-8")


def _hash(text: str) -> str:
    """Return the hash of a style or a script, as a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
