"""The section of the controllers' log: how far it reaches, and what changed in the minutes of each finding."""

from collections.abc import Callable, Iterator, Mapping

from analyzer.report.document.controller_log import ControllerEvent, ControllerLog, ControllerWindow, Served
from analyzer.report.document.types import Document
from analyzer.report.outline.parts import Item, Section
from analyzer.report.sentences.cells import name, visible
from analyzer.report.sentences.quantities import counted, few
from analyzer.report.sentences.times import Clock

WINDOWS, PLACES, SERVED = 5, 4, 10
"""Findings whose minutes are told, partitions that a line names, producer ids without state files that are told."""
NOTHING = "no election, restart, fencing, setting, feature or change of the quorum then"


def controllers_log(document: Document, clock: Clock) -> Section:
    """Return the section; empty where the capture does not have that log."""
    log = document.get("controller")
    if not log:
        return Section("", ())
    windows = (_window(one, clock) for one in log["windows"][:WINDOWS])
    return Section("Controllers' log", ((*map(Item, log_sentences(log, clock)), *windows),))


def _window(window: ControllerWindow, clock: Clock) -> Item:
    """Return the minutes of a finding: `01:52:29  unclean election: broker 3 leads frail-0`."""
    lines = [f"{clock.under(one['at'], window['since'])}  {event_words(one)}" for one in window["events"]]
    lines += [f"and {window['more']} more"] if window["more"] else []
    silence = NOTHING if window["covered"] else "the log does not cover those minutes"
    minutes = f"{clock.moment(window['since'])} to {clock.moment(window['until'])}"
    return Item(f"around {window['finding']}, {minutes}", tuple(lines) or (silence,))


def log_sentences(log: ControllerLog, clock: Clock) -> Iterator[str]:
    """Yield what is said of the log as a whole."""
    first, last = log.get("first_ms"), log.get("last_ms")
    if first is not None and last is not None:
        state = "" if log["complete"] else "; earlier records are missing, so not every state is known"
        yield f"from {clock.moment(first)} to {clock.moment(last)}{state}"
    if log["undecoded"]:
        types = visible(log.get("undecoded_types") or "")
        yield f"{counted(log['undecoded'], 'record')} could not be read, of types {types}"
    if log["markers"]:
        agree = log["markers"] - log["strange_markers"]
        yield f"{agree} of {counted(log['markers'], 'marker')} carry the epoch of the coordinator of that moment"
    if log.get("strange"):
        yield visible(log["strange"] or "")
    asked, end = log.get("high_watermark_asked"), log.get("quorum_end")
    if asked is not None and end is not None and asked > end:
        yield f"this copy of the log ends at offset {end}, before the high watermark {asked} that the quorum reported"
    for one in log.get("served", [])[:SERVED]:
        yield served_sentence(one, clock)


def served_sentence(one: Served, clock: Clock) -> str:
    """Return which state partition a producer id without state files belongs to, and by which partition count."""
    known = one.get("transactional_id")
    who = f"producer {one['producer_id']}" + (f" ({name(known)})" if known else "")
    places = ", ".join(str(place) for place in one["state_partitions"])
    text = f"{counted(one['markers'], 'marker')} of {who} fit the leader epochs of __transaction_state-{places} only"
    if known and one["counts"]:
        text += f": its coordinator used a count of {' or '.join(str(count) for count in one['counts'])} partitions"
    since = one.get("since")
    if one.get("coordinator") is not None:
        text += f"; broker {one['coordinator']} coordinated" + (f" since {clock.moment(since)}" if since else "")
    return text


def _places(event: ControllerEvent) -> str:
    return few([*map(name, event["places"])], PLACES)


def event_words(event: ControllerEvent) -> str:
    """Return what changed, without its moment: `unclean election: broker 3 leads frail-0`."""
    said = _WORDS.get(event["event"])
    return name(event["event"]) if said is None else said(event)


def _value(text: str | None) -> str:
    return "nothing" if text is None else name(text)


_WORDS: Mapping[str, Callable[[ControllerEvent], str]] = {
    "election": lambda e: f"broker {e.get('broker')} leads {_places(e)}",
    "unclean_election": lambda e: f"unclean election: broker {e.get('broker')} leads {_places(e)}",
    "no_leader": lambda e: f"no leader for {_places(e)}",
    "topic_created": lambda e: f"topic {_places(e)} created",
    "topic_deleted": lambda e: f"topic {_places(e)} deleted",
    "partitions_added": lambda e: f"{_places(e)} expanded from {e.get('was')} to {e.get('now')} partitions",
    "registered": lambda e: f"broker {e.get('broker')} registered",
    "restarted": lambda e: f"broker {e.get('broker')} restarted",
    "unfenced": lambda e: f"broker {e.get('broker')} unfenced",
    "fenced": lambda e: f"broker {e.get('broker')} fenced",
    "controlled_shutdown": lambda e: f"broker {e.get('broker')} shuts down",
    "unregistered": lambda e: f"broker {e.get('broker')} unregistered",
    "quorum_leader": lambda e: f"controller {e.get('broker', '?')} leads the quorum (epoch {e.get('now')})",
    "feature": lambda e: f"feature {_value(e.get('subject'))}: {_value(e.get('was'))} to {_value(e.get('now'))}",
    "setting": lambda e: f"setting {visible(e.get('subject') or '')}: {_value(e.get('was'))} to {_value(e.get('now'))}",
}
