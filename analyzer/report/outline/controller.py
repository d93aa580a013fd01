"""The section of the controllers' log: what changed in the cluster in the minutes of each finding."""

from collections.abc import Iterator

from analyzer.report.document.types import Document
from analyzer.report.outline.parts import Item, Section
from analyzer.report.sentences.controller_lines import NOTHING, event_sentence, log_sentences, window_title
from analyzer.report.sentences.times import Clock

WINDOWS = 5
"""Findings whose minutes are told; the JSON report has more."""


def controllers_log(document: Document, clock: Clock) -> Iterator[Section]:
    """Yield the section, if the capture has that log."""
    log = document.get("controller")
    if not log:
        return
    items = [Item(sentence) for sentence in log_sentences(log, clock)]
    for window in log["windows"][:WINDOWS]:
        lines = [event_sentence(one, clock, window["since"]) for one in window["events"]]
        lines += [f"and {window['more']} more"] if window["more"] else []
        silence = NOTHING if window["covered"] else "the log does not cover those minutes"
        items.append(Item(window_title(window, clock), tuple(lines) or (silence,)))
    yield Section("Controllers' log", (tuple(items),))
