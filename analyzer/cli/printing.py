"""How reports are printed: which format, in which time zone, to which file."""

import datetime
import functools
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from analyzer.detectors import ALL
from analyzer.errors import UsageError
from analyzer.report import FORMATS, Document, Page, read_page, render, render_line, zone
from analyzer.report.metrics import metrics


@dataclass(frozen=True, slots=True)
class Printing:
    """How reports are written: the format, the time zone of its moments, the file (None: stdout)."""

    format: str
    zone: datetime.tzinfo
    output: Path | None


def printing(format: str, time_zone: str, output: Path | None) -> Printing:  # noqa: A002 - the flag is --format
    """Return how reports are written. Raises UsageError for a format or a time zone that does not exist."""
    if format not in FORMATS:
        raise UsageError(f"no format {format}.", wanted=", ".join(FORMATS))
    return Printing(format, zone(time_zone), output)


def write_metrics(documents: Sequence[dict[str, Any]], path: Path) -> None:
    """Write the numbers of these documents for Prometheus, in one step: a collector never reads half a file."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.write_text(metrics(documents), encoding="utf-8")
    fresh.replace(path)


def write(documents: Sequence[dict[str, Any]], wanted: Printing, *, each: bool) -> None:
    """Write the reports: JSON lines for --each, unless the format can be joined; else the format asked for."""
    if each and not FORMATS[wanted.format].joined:
        text = "".join(render_line(cast("Document", document)).rstrip("\n") + "\n" for document in documents)
    else:
        color = wanted.output is None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        text = "\n".join(
            render(cast("Document", document), wanted.format, color=color, zone=wanted.zone, pages=explained())
            for document in documents
        )
    if wanted.output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        wanted.output.write_text(text, encoding="utf-8")


@functools.cache
def explained() -> dict[str, Page]:
    """Return the page of every detector, by its code."""
    return {one.code: read_page(one.page, one.code, one.name, one.severity) for one in ALL}
