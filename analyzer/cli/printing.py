"""How reports are printed: which format, in which time zone, to which file."""

import contextlib
import datetime
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

from analyzer.errors import UsageError
from analyzer.report.comparison.changes import Changes
from analyzer.report.metrics import metrics
from analyzer.report.rendering import (
    CELLS,
    CONFIDENCES,
    FORMATS,
    Document,
    Page,
    at_least,
    pictures_beside,
    render,
    render_line,
    zone,
)

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
        raise UsageError(f"unknown format {format}.", wanted=", ".join(FORMATS))
    if confidence not in CONFIDENCES:
        raise UsageError(f"unknown confidence {confidence}.", wanted=", ".join(CONFIDENCES))
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
                pages=_pages(wanted.format),
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


def _pages(format: str) -> Mapping[str, Page]:  # noqa: A002 - as above
    """Return the pages that a format explains findings with."""
    if not FORMATS[format].explains:
        return {}
    from analyzer.cli.pages import explained  # noqa: PLC0415 - loads every detector

    return explained()


def terminal_cells() -> int:
    """Return how wide a report on stdout may be: as the terminal, from 80 to 140 cells; 100 where there is none."""
    if not sys.stdout.isatty():
        return CELLS
    return min(max(shutil.get_terminal_size((CELLS, 0)).columns, NARROWEST), WIDEST)


def shows_color() -> bool:
    """Return whether stdout is a terminal that shows colors, and nobody asked for none (NO_COLOR)."""
    console = Console(file=sys.stdout)
    return console.is_terminal and console.color_system is not None and not console.no_color


def json_rows(rows: Sequence[dict[str, Any]]) -> str:
    """Return rows as one JSON line each."""
    return "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)
