"""The pages of findings, with the known bugs that can explain each and what prevents it."""

import functools

from analyzer.detectors.beside.prevention import prevention
from analyzer.detectors.model import Detector
from analyzer.detectors.registry import ALL
from analyzer.kafka.known_bugs import explaining
from analyzer.kafka.versions import Brokers
from analyzer.report.formats.page import Page, read_page


@functools.cache
def explained() -> dict[str, Page]:
    """Return the page of every detector, by its code."""
    return {one.code: page_of(one) for one in ALL}


def page_of(detector: Detector) -> Page:
    """Return the page of a detector, with the known bugs that can explain it and how it does not happen again."""
    return read_page(detector.page, detector.code, detector.name, detector.severity, endings(detector))


def endings(detector: Detector) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the sections that end a detector's page, from the tables of known bugs and of what prevents it."""
    bugs = tuple(f"{bug.named()}. {bug.mechanism}" for bug in explaining(detector.code))
    prevents = tuple(f"{text[:1].upper()}{text[1:]}." for text in always(detector))
    return (*((("Known bugs", bugs),) if bugs else ()), ("How it does not happen again", prevents))


def always(detector: Detector) -> list[str]:
    """Return what prevents the finding on brokers of any version."""
    return prevention(detector.code, Brokers(None), ())
