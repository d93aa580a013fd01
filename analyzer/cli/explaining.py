"""The command explain: the page of a finding or of a known bug, or what a report says of one finding."""

import dataclasses
import difflib
import json
import re
import shlex
from pathlib import Path
from typing import Annotated, cast

import typer

from analyzer.cli import options
from analyzer.cli.case import stored
from analyzer.cli.case.named import newest
from analyzer.cli.pages import always, endings, page_of
from analyzer.cli.printing import shows_color
from analyzer.config import load_config
from analyzer.detectors.model import Detector
from analyzer.detectors.registry import ALL
from analyzer.errors import UsageError
from analyzer.kafka.known_bugs import BY_ISSUE, KnownBug, explaining
from analyzer.report.rendering import Document, bug_page, explain as explain_page, render_finding, render_page
from analyzer.storage.named_cases import case_name

_ID = re.compile(r"([A-Z]{3}\d{3})-[0-9a-f]+")
"""The id of a finding: the code of its kind, and a number of its own."""


def explain(
    code: Annotated[
        str,
        typer.Argument(
            help="Code or name of a finding, the id of one, or a known bug: KAFKA-20090.",
            metavar="CODE",
            autocompletion=lambda: [*(one.code for one in ALL), *BY_ISSUE],
        ),
    ],
    case: options.AnyCaseOption = None,
    capture: options.CaptureOption = None,
    conf: options.ConfOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    format: Annotated[str, typer.Option("--format", help="text, markdown, html or json.")] = "text",  # noqa: A002
) -> None:
    """Print the page of a finding or of a known bug.

    With the id of a finding, what the report of its case says of that one.
    """
    options.check_format(format, "text", "markdown", "html", "json")
    one_of = _ID.fullmatch(code)
    bug = BY_ISSUE.get(code.upper())
    if bug is not None:
        typer.echo(_of_bug(bug, "json" if as_json else format), nl=False)
        return
    detector = _find(one_of[1] if one_of else code)
    if one_of and case is None:
        case = _holding(code, conf)
    if one_of and case is not None:
        typer.echo(_of_finding(code, case, capture, conf, "json" if as_json else format), nl=False)
        return
    if one_of:
        typer.echo(
            f"{code} is one finding of a capture. What the report says of it:\n"
            f"  txn-forensics explain {code} --case CASE\n"
            f"This is the page of its kind, {detector.code}.\n",
            err=as_json or format != "text",
        )
    if format in {"markdown", "html"} and not as_json:
        typer.echo(explain_page(page_of(detector), format), nl=False)
    elif as_json or format == "json":
        page = {"code": detector.code, "name": detector.name, "severity": detector.severity, "page": detector.page}
        told = {"known_bugs": [bug.issue for bug in explaining(detector.code)], "prevention": always(detector)}
        typer.echo(json.dumps(page | told, ensure_ascii=False))
    else:
        page_text = render_page(detector.page, detector.code, detector.name, detector.severity, endings(detector))
        typer.echo(page_text, nl=False)
        if detector.example is not None:
            typer.echo(f"\n{detector.example()}", nl=False)


def _holding(finding: str, conf: Path | None) -> str | None:
    """Return where the newest case lies, if the newest capture in it has this finding."""
    case = newest(quiet=True)
    if case is None:
        return None
    known = {one["id"] for one in stored.report(case, None, load_config(conf))["findings"]}
    return newest() if finding in known else None


def _of_finding(finding: str, case: str, capture: str | None, conf: Path | None, format: str) -> str:  # noqa: A002
    """Return what the report of a stored capture says of a finding. Raises UsageError if it has none of this id."""
    if format == "html":
        raise UsageError(
            "one finding has no page of HTML.", wanted="text, markdown or json; report --format html has all"
        )
    document = stored.report(case, capture, load_config(conf))
    told = render_finding(cast("Document", document), finding, format, color=shows_color())
    if told is None:
        ids = [one["id"] for one in document["findings"]]
        nearest = difflib.get_close_matches(finding, ids, n=3, cutoff=0.0)
        raise UsageError(
            f"no finding {finding} in {document['capture']['name']}.",
            wanted=f"one such as {', '.join(nearest)}" if nearest else "a capture with findings",
            do=f"txn-forensics report --case {shlex.quote(case_name(case))} lists them",
        )
    return told


def _of_bug(bug: KnownBug, format: str) -> str:  # noqa: A002
    """Return the page of a known bug in a format."""
    if format == "json":
        return json.dumps(dataclasses.asdict(bug), ensure_ascii=False) + "\n"
    if format == "html":
        raise UsageError("a known bug has no page of HTML.", wanted="text, markdown or json")
    return bug_page(bug, format)


def _find(code: str) -> Detector:
    for detector in ALL:
        if code.upper() == detector.code or code == detector.name:
            return detector
    named = {name: detector for detector in ALL for name in (detector.code, detector.name)}
    asked = code.upper() if code[:1].isupper() else code
    nearest = named[max(sorted(named), key=lambda name: difflib.SequenceMatcher(None, asked, name).ratio())]
    found = f"unknown code {code}; nearest: {nearest.code} {nearest.name}"
    raise UsageError(found, do="txn-forensics detectors lists them")
