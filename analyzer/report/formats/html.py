"""The HTML report: one file that asks for nothing, complete without JavaScript; no foreign string can be markup."""

import base64
import functools
import hashlib
from collections.abc import Mapping
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.report.document.types import Document, Finding
from analyzer.report.formats.look import Look
from analyzer.report.formats.page import Page
from analyzer.report.outline.page import Group, contents
from analyzer.report.outline.parts import Outline
from analyzer.report.pictures.lanes import lanes_picture
from analyzer.report.pictures.offsets import strip_picture
from analyzer.report.pictures.plots import growth_picture, places_picture, thresholds_picture
from analyzer.report.sentences.cells import is_safe, visible
from analyzer.report.sentences.commands import UNSAFE
from analyzer.report.sentences.quantities import counted, size
from analyzer.report.sentences.quotes import place_of
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.incident import names_its_place

MOST_PARTITIONS = 500
ROWS_OPEN = 500
"""So many findings without a card stand open; more are folded in groups of as many, which no browser lays out."""
QUIET = 5
"""More partitions of __transaction_state than these are folded, where nothing waits in them."""


def html_report(document: Document, look: Look, comparison: Outline | None = None) -> str:
    """Return the report as one HTML page, below a comparison if there is one; color has no meaning here."""
    clock = look.clock.of(document)
    told = clock.document(document)
    page = contents(told, clock, look.took)
    judged = [one for one in told["partitions"] if one["authority"]]
    judged.sort(key=lambda one: (not one["blocked_records"], one["topic"], one["partition"]))
    quiet = [one for one in judged if one["topic"] == STATE_TOPIC and not one["blocked_records"]]
    shown = [one for one in judged if one not in quiet] if len(quiet) > QUIET else judged
    codes = dict.fromkeys(card.row.finding["code"] for group in page.groups for card in group.cards)
    return _filled(
        "report.html",
        page=page,
        rows_open=ROWS_OPEN,
        document=told,
        comparison=comparison,
        clock=clock,
        partitions=shown[:MOST_PARTITIONS],
        partitions_quiet=quiet if shown is not judged else [],
        partitions_left=max(0, len(shown) - MOST_PARTITIONS),
        growth=[
            (f"{one['topic']}-{one['partition']}", drawn) for one in judged if (drawn := growth_picture(one, clock))
        ],
        pages=[look.pages[code] for code in codes if code in look.pages],
        explained_codes=look.pages.keys() & codes.keys(),
        lanes=functools.partial(_lanes, captured_at=told["capture"]["captured_at"], clock=clock),
        strips={one["id"]: _strip(one, group) for group in page.groups for one in _findings(group)},
        places=[picture for one in told["routing"].get("topics") or [] if (picture := places_picture(one))],
        thresholds=thresholds_picture(told.get("thresholds") or []),
    )


def page_html(page: Page) -> str:
    """Return the page of `explain CODE` as HTML."""
    return _filled("explain.html", page=page)


def _findings(group: Group) -> list[Finding]:
    return [card.row.finding for card in group.cards]


def _lanes(group: Group, captured_at: int | None, clock: Clock) -> Markup | None:
    return lanes_picture(group.happening["timeline"], captured_at, clock) if group.happening else None


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
    style, script = _file("report.css"), _file("report.js")
    environment.globals |= {
        "style": Markup(style),  # noqa: S704 - our own file
        "script": Markup(script),  # noqa: S704 - our own file
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "unsafe": UNSAFE,
    }
    environment.filters |= {
        "visible": visible, "counted": counted, "size": size, "kind": lambda part: type(part).__name__,
        "is_safe": is_safe, "place_of": place_of, "names_its_place": names_its_place,
    }  # fmt: skip
    return environment


def _shown(value: object) -> object:
    """Return a text with its control characters written out; line ends stay."""
    if type(value) is not str:
        return value
    return "\n".join(map(visible, value.split("\n")))


def _filled(name: str, **values: object) -> str:
    """Return a template with these values."""
    return str(_environment().get_template(name).render(**values))


@functools.cache
def _file(name: str) -> str:
    return files("analyzer.report").joinpath("templates", name).read_text("utf-8")


def _hash(text: str) -> str:
    """Return the hash of a style or a script, as a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
