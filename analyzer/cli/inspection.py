"""The commands on tables and machines: detectors, sql, collect-script, doctor, fetch-jars."""

import csv
import io
import os
import shlex
import subprocess
import sys
from importlib.resources import files
from typing import Annotated

import typer

from analyzer.cli import options, printing
from analyzer.cli.border import DEBUG
from analyzer.cli.case import stored
from analyzer.cli.case.named import NEWEST
from analyzer.cli.opened import opened_briefly
from analyzer.cli.wanted import Wanted
from analyzer.config import Config, load_config
from analyzer.detectors.registry import ALL
from analyzer.errors import UsageError
from analyzer.pipeline.captures import chosen_capture
from analyzer.pipeline.query import query
from analyzer.pipeline.reported import ROOMS
from analyzer.pipeline.sql.contents import Answer, answer
from analyzer.stages.graph import text
from analyzer.storage import doctor as checks
from analyzer.storage.jvm import jars as delta_jars
from analyzer.storage.jvm.start_archive import make_archive
from analyzer.submit import build_submit_command


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


def sql(
    statement: Annotated[str, typer.Argument(help="A query over the tables of schemas/*.ddl.", metavar="QUERY")],
    case: options.StoredCaseOption = NEWEST,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
    format: Annotated[str, typer.Option("--format", help="text, json or csv.")] = "text",  # noqa: A002
) -> None:
    """Query the tables of a case.

    SHOW TABLES lists them, DESCRIBE TABLE the columns of one. Fact tables have the columns capture, replica, topic,
    partition and path of their files.
    """
    options.check_format(format, "text", "json", "csv")
    config = Wanted(case, conf, engine=engine).config
    columns, rows = _answer(case, statement, config)
    if format == "json":
        sys.stdout.write(printing.json_rows([dict(zip(columns, row, strict=True)) for row in rows]))
    else:
        sys.stdout.write(_as_csv(columns, rows) if format == "csv" else _as_table(columns, rows))


def _answer(case: str, statement: str, config: Config) -> Answer:
    """Return the answer to a statement: to one about tables without an engine."""
    told = answer(statement)
    if told is None:
        with opened_briefly(case, config) as opened:
            return query(opened, statement, config)
    with stored.stored_tables(case, config) as read:
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


def doctor(engine: options.EngineOption = None, conf: options.ConfOption = None) -> None:
    """Check Python, the engine and a Delta table."""
    results = checks.doctor(Wanted(None, conf, engine=engine).config)
    for check in results:
        typer.echo(f"{'ok  ' if check.ok else 'FAIL'}  {check.name:12}  {check.found}")
        if not check.ok and check.do:
            typer.echo(f"      do: {check.do}")
    raise typer.Exit(0 if all(check.ok for check in results) else 2)


def fetch_jars(conf: options.ConfOption = None) -> None:
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
    conf: options.ConfOption = None,
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
