"""The options of the commands that judge: what is read, and how the report is printed."""

from pathlib import Path
from typing import Annotated

import typer

from analyzer.report.document.confidence import CONFIDENCES
from analyzer.report.formats import FORMATS

Paths = Annotated[
    list[str], typer.Argument(help="Folders or files of one capture; run - reads a paste.", metavar="PATH...")
]
NameOption = Annotated[str | None, typer.Option("--capture", help="Name of the capture.")]
TimeOption = Annotated[
    str | None, typer.Option("--captured-at", help="When the files were taken: epoch ms or ISO 8601.")
]
FormatOption = Annotated[
    str,
    typer.Option("--format", help=f"Format of the report: {', '.join(FORMATS)}.", autocompletion=lambda: [*FORMATS]),
]
ZoneOption = Annotated[str, typer.Option("--tz", help="Time zone of the report (not of JSON): Europe/Berlin.")]
OutOption = Annotated[Path | None, typer.Option("-o", "--output", help="Write the report to this file, not to stdout.")]
EachOption = Annotated[bool, typer.Option("--each", help="Treat every PATH as a capture; one JSON line each.")]
CrcOption = Annotated[bool, typer.Option("--no-crc", help="Do not check the checksums of raw segments.")]
KeysOption = Annotated[
    list[str] | None, typer.Option("--keys", help="Read the keys of this topic; may be repeated.", metavar="TOPIC")
]
StoreKeysOption = Annotated[bool, typer.Option("--store-keys", help="Store whole keys, not only digest and sample.")]
ZeroOption = Annotated[
    bool, typer.Option("--exit-zero", help="Exit with 0 whatever was found, for schedulers; 2 stays.")
]
NewOption = Annotated[bool, typer.Option("--new-only", help="Report, and exit with 1, only if something opened.")]
ConfidenceOption = Annotated[
    str,
    typer.Option(
        "--min-confidence",
        help=f"Leave out findings less certain than this: {', '.join(CONFIDENCES)}. Verdict and exit code count them.",
        autocompletion=lambda: [*CONFIDENCES],
    ),
]
OpenOnlyOption = Annotated[
    bool,
    typer.Option("--open-only", help="Of raw segments, read only those that matter for what is open."),
]
FullOption = Annotated[bool, typer.Option("--full", help="Text with every step and line, not only what comes first.")]
ProfileOption = Annotated[
    bool, typer.Option("--profile", help="Print what each table costs: time, rows in and out, size of its plan.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="No progress on stderr.")]
