"""How reports are printed: which format, in which time zone, to which file."""

import contextlib
import datetime
import functools
import json
import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from rich.console import Console

from analyzer.detectors import ALL, Detector
from analyzer.detectors.beside.prevention import prevention
from analyzer.errors import UsageError
from analyzer.kafka.known_bugs import explaining
from analyzer.kafka.versions import Brokers
from analyzer.report import (
    CELLS,
    CONFIDENCES,
    FORMATS,
    Document,
    Page,
    at_least,
    pictures_beside,
    read_page,
    render,
    render_line,
    zone,
)
from analyzer.report.comparison.changes import Changes
from analyzer.report.metrics import metrics

NARROWEST, WIDEST = 80, 140
"""Cells of a report on a terminal."""


@dataclass(frozen=True, slots=True)
class Printing:
    """How reports are written: format, time zone of moments, file (None: stdout), least confidence of what is shown.

    `took`: how many seconds each stage of the command took, for the foot of the report. `full`: text tells everything.
    `later`: what changed until a later capture, for a post-mortem.
    """

    format: str
    zone: datetime.tzinfo
    output: Path | None
    confidence: str = CONFIDENCES[-1]
    took: Mapping[str, float] = field(default_factory=dict)
    full: bool = False
    later: Changes | None = None

    @property
    def beside(self) -> str:
        """How the names of pictures begin that are written beside the file; empty where the format has none."""
        drawn = self.output is not None and FORMATS[self.format].pictures
        return re.sub(r"[^\w.-]+", "-", self.output.stem) if drawn and self.output else ""


def printing(
    format: str,  # noqa: A002 - the flag is --format
    time_zone: str,
    output: Path | None,
    confidence: str = CONFIDENCES[-1],
    *,
    full: bool = False,
) -> Printing:
    """Return how reports are written. Raises UsageError for a format, a confidence or a time zone that is none."""
    if format not in FORMATS:
        raise UsageError(f"no format {format}.", wanted=", ".join(FORMATS))
    if confidence not in CONFIDENCES:
        raise UsageError(f"no confidence {confidence}.", wanted=", ".join(CONFIDENCES))
    return Printing(format, zone(time_zone), output, confidence, full=full)


def write_metrics(documents: Sequence[dict[str, Any]], path: Path) -> None:
    """Write the numbers of these documents for Prometheus, in one step: a collector never reads half a file."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_text(metrics(documents), encoding="utf-8")
        fresh.replace(path)
    except OSError as fault:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise OSError(fault.errno, fault.strerror, str(path)) from fault


def write(documents: Sequence[dict[str, Any]], wanted: Printing, *, each: bool) -> None:
    """Write the reports: JSON lines for --each, unless the format can be joined; else the format asked for."""
    shown = [at_least(cast("Document", document), wanted.confidence) for document in documents]
    if each and not FORMATS[wanted.format].joined:
        text = "".join(render_line(document).rstrip("\n") + "\n" for document in shown)
    else:
        color = wanted.output is None and shows_color()
        took = wanted.took if len(shown) == 1 else None
        cells = terminal_cells() if wanted.output is None else CELLS
        beside = wanted.beside if len(shown) == 1 else ""
        text = "\n".join(
            render(
                one,
                wanted.format,
                color=color,
                zone=wanted.zone,
                pages=explained(),
                took=took,
                full=wanted.full,
                cells=cells,
                later=wanted.later,
                beside=beside,
            )
            for one in shown
        )
        if beside and wanted.output is not None:
            for name, picture in pictures_beside(shown[0], beside, wanted.zone).items():
                wanted.output.with_name(name).write_text(picture, encoding="utf-8")
    if wanted.output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        wanted.output.write_text(text, encoding="utf-8")


def terminal_cells() -> int:
    """Return how wide a report on stdout may be: as the terminal, from 80 to 140 cells; 100 where there is none."""
    if not sys.stdout.isatty():
        return CELLS
    return min(max(shutil.get_terminal_size((CELLS, 0)).columns, NARROWEST), WIDEST)


def shows_color() -> bool:
    """Return whether stdout is a terminal that shows colors, and nobody asked for none (NO_COLOR)."""
    console = Console(file=sys.stdout)
    return console.is_terminal and console.color_system is not None and not console.no_color


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


def json_rows(rows: Sequence[dict[str, Any]]) -> str:
    """Return rows as one JSON line each."""
    return "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)
