"""The commands on findings, tables and machines: detectors, explain, sql, collect-script, doctor, fetch-jars."""

import csv
import difflib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Annotated, cast

import typer

from analyzer.cli import running
from analyzer.cli.border import DEBUG
from analyzer.cli.opened import opened_case
from analyzer.cli.options import AnyCaseOption, ConfOption, EngineOption, StoredCaseOption
from analyzer.cli.printing import shows_color
from analyzer.cli.progress import Progress
from analyzer.cli.unnamed import NEWEST, newest
from analyzer.config import Config, load_config
from analyzer.detectors import ALL, Detector
from analyzer.errors import UsageError
from analyzer.lifecycles.graph import text
from analyzer.pipeline.captures import chosen_capture
from analyzer.pipeline.query import query
from analyzer.pipeline.reported import ROOMS
from analyzer.pipeline.sql.contents import Answer, answer
from analyzer.report import Document, read_page, render_finding, render_page
from analyzer.report import explain as explain_page
from analyzer.storage import doctor as checks
from analyzer.storage.jvm import jars as delta_jars
from analyzer.storage.jvm.start_archive import make_archive
from analyzer.storage.named_cases import case_name
from analyzer.storage.settings import Work
from analyzer.submit import build_submit_command

_ID = re.compile(r"([A-Z]{3}\d{3})-[0-9a-f]+")
"""The id of a finding: the code of its kind, and a number of its own."""


def detectors(
    stages: Annotated[bool, typer.Option("--stages", help="List the stages that make their tables.")] = False,
) -> None:
    """List the detectors: code, severity, name, what it finds."""
    if stages:
        for line in text(ROOMS):
            typer.echo(line)
        return
    for detector in ALL:
        sentence = detector.page.strip().splitlines()[0]
        typer.echo(f"{detector.code}  {detector.severity:8}  {detector.name}\n        {sentence}")


def explain(
    code: Annotated[
        str,
        typer.Argument(
            help="Code or name of a finding, or the id of one.",
            metavar="CODE",
            autocompletion=lambda: [one.code for one in ALL],
        ),
    ],
    case: AnyCaseOption = None,
    capture: Annotated[str | None, typer.Option("--capture", help="Capture; by default the newest.")] = None,
    conf: ConfOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    format: Annotated[str, typer.Option("--format", help="text, markdown, html or json.")] = "text",  # noqa: A002
) -> None:
    """Print the page of a finding: causes, and whether to abort.

    With the id of a finding, what the report of its case says of that one.
    """
    if format not in {"text", "markdown", "html", "json"}:
        raise UsageError(f"no format {format}.", wanted="text, markdown, html or json")
    one_of = _ID.fullmatch(code)
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
        told = read_page(detector.page, detector.code, detector.name, detector.severity)
        typer.echo(explain_page(told, format), nl=False)
    elif as_json or format == "json":
        page = {"code": detector.code, "name": detector.name, "severity": detector.severity, "page": detector.page}
        typer.echo(json.dumps(page, ensure_ascii=False))
    else:
        typer.echo(render_page(detector.page, detector.code, detector.name, detector.severity), nl=False)
        if detector.example is not None:
            typer.echo(f"\n{detector.example()}", nl=False)


def _holding(finding: str, conf: Path | None) -> str | None:
    """Return where the newest case lies, if the newest capture in it has this finding."""
    case = newest(quiet=True)
    if case is None:
        return None
    known = {one["id"] for one in running.report(case, None, load_config(conf))["findings"]}
    return newest() if finding in known else None


def _of_finding(finding: str, case: str, capture: str | None, conf: Path | None, format: str) -> str:  # noqa: A002
    """Return what the report of a stored capture says of a finding. Raises UsageError if it has none of this id."""
    if format == "html":
        raise UsageError(
            "one finding has no page of HTML.", wanted="text, markdown or json; report --format html has all"
        )
    document = running.report(case, capture, load_config(conf))
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


def _find(code: str) -> Detector:
    for detector in ALL:
        if code.upper() == detector.code or code == detector.name:
            return detector
    named = {name: detector for detector in ALL for name in (detector.code, detector.name)}
    asked = code.upper() if code[:1].isupper() else code
    nearest = named[max(sorted(named), key=lambda name: difflib.SequenceMatcher(None, asked, name).ratio())]
    raise UsageError(f"no code {code}; nearest: {nearest.code} {nearest.name}", do="txn-forensics detectors lists them")


def sql(
    statement: Annotated[str, typer.Argument(help="A query over the tables of schemas/*.ddl.", metavar="QUERY")],
    case: StoredCaseOption = NEWEST,
    engine: EngineOption = None,
    conf: ConfOption = None,
    format: Annotated[str, typer.Option("--format", help="text, json or csv.")] = "text",  # noqa: A002
) -> None:
    """Query the tables of a case.

    SHOW TABLES lists them, DESCRIBE TABLE the columns of one. Fact tables have the columns capture, replica, topic,
    partition and path of their files.
    """
    if format not in {"text", "json", "csv"}:
        raise UsageError(f"no format {format}.", wanted="text, json or csv")
    config = running.Wanted(case, conf, engine=engine).config
    columns, rows = _answer(case, statement, config)
    if format == "json":
        sys.stdout.write(running.json_rows([dict(zip(columns, row, strict=True)) for row in rows]))
    else:
        sys.stdout.write(_as_csv(columns, rows) if format == "csv" else _as_table(columns, rows))


def _answer(case: str, statement: str, config: Config) -> Answer:
    """Return the answer to a statement: to one about tables without an engine."""
    told = answer(statement)
    if told is None:
        with Progress() as progress, opened_case(case, config, progress, work=Work.BRIEF) as opened:
            return query(opened, statement, config)
    with running.stored_tables(case, config) as read:
        chosen_capture(read("captures", {}), None, case)
    return told


def _as_csv(columns: list[str], rows: list[tuple[object, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def _as_table(columns: list[str], rows: list[tuple[object, ...]]) -> str:
    cells = [columns, *[["" if value is None else str(value) for value in row] for row in rows]]
    widths = [max(len(row[index]) for row in cells) for index in range(len(columns))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n" for row in cells
    )


def collect_script() -> None:
    """Print the shell script that collects a broker's files."""
    sys.stdout.write(files("analyzer.cli").joinpath("collect.sh").read_text("utf-8"))


def doctor(engine: EngineOption = None, conf: ConfOption = None) -> None:
    """Check Python, the engine and a Delta table."""
    results = checks.doctor(running.Wanted(None, conf, engine=engine).config)
    for check in results:
        typer.echo(f"{'ok  ' if check.ok else 'FAIL'}  {check.name:12}  {check.found}")
        if not check.ok and check.do:
            typer.echo(f"      do: {check.do}")
    raise typer.Exit(0 if all(check.ok for check in results) else 2)


def fetch_jars(conf: ConfOption = None) -> None:
    """Fetch the Delta jars in advance, for use without network.

    It also keeps Spark's classes, so that later runs start faster.
    """
    jars = delta_jars.fetch_jars(load_config(conf), lambda text: typer.echo(text, err=True))
    typer.echo(f"{len(jars.files)} jars, {jars.bytes / (1 << 20):.0f} MiB, in {jars.files[0].parent}")
    typer.echo("keeping Spark's classes for a faster start: half a minute, once", err=True)
    archive = make_archive(jars)
    typer.echo(f"start-up archive: {archive}" if archive else "no start-up archive: this JVM cannot write one")


def submit(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the command instead of running it.")] = False,
    conf: ConfOption = None,
) -> None:
    """Run a command on a cluster through spark-submit.

    For example: txn-forensics submit --conf cluster.toml -- run PATH... --case DIR
    """
    if not context.args:
        raise UsageError("nothing to submit.", do="txn-forensics submit -- run PATH... --case DIR")
    command = build_submit_command(load_config(conf), context.args, debug=bool(os.environ.get(DEBUG)))
    if dry_run:
        typer.echo(shlex.join(command))
        raise typer.Exit
    raise typer.Exit(subprocess.run(command, check=False).returncode)
