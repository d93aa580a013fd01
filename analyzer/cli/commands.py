"""The command line as a whole, with its main commands: run, and its parts ingest, analyze and report."""

import dataclasses
import os
from typing import Annotated, Any

import typer

from analyzer.cli import expansion, explaining, inspection, printing, running
from analyzer.cli.anonymize import anonymize
from analyzer.cli.border import DEBUG
from analyzer.cli.case import rows
from analyzer.cli.case.incident import incident
from analyzer.cli.case.listing import cases
from analyzer.cli.case.unnamed import NEWEST
from analyzer.cli.case.upkeep import vacuum
from analyzer.cli.comparison import comparison
from analyzer.cli.fetching import fetch
from analyzer.cli.lookups.timeline import timeline
from analyzer.cli.lookups.top import top
from analyzer.cli.lookups.txn import txn
from analyzer.cli.lookups.who import who
from analyzer.cli.options import (
    AnyCaseOption,
    BootstrapOption,
    CaseOption,
    CommandConfigOption,
    ConfidenceOption,
    ConfOption,
    CrcOption,
    EachOption,
    EngineOption,
    ExecOption,
    FormatOption,
    FullOption,
    KeysOption,
    MetricsOption,
    NameOption,
    NewOption,
    OpenOnlyOption,
    OutOption,
    Paths,
    QuietOption,
    StoredCaseOption,
    StoreKeysOption,
    TimeOption,
    VersionOption,
    ZeroOption,
    ZoneOption,
)
from analyzer.cli.overhead import overhead
from analyzer.cli.rescue import rescue
from analyzer.cli.watch import watch
from analyzer.kafka.reaching.reach import given_way
from analyzer.report import CONFIDENCES, FORMATS
from analyzer.scan.standard_input import with_standard_input

ABOUT = """\
Find out from files alone why Kafka transactions hang.

Exit codes: 0 clean, 1 findings, 2 could not run or nothing usable, 3 inconclusive.
"""

app = typer.Typer(
    name="txn-forensics",
    help=ABOUT,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

DEFAULT_FORMAT = next(iter(FORMATS))
POSTMORTEM = "postmortem"


@app.callback()
def common(
    debug: Annotated[bool, typer.Option("--debug", help="Show stack traces and Spark's own log.")] = False,
    version: VersionOption = False,  # noqa: ARG001 - its callback prints it
) -> None:
    """Take what is said before the command; its help is `ABOUT`."""
    if debug:
        os.environ[DEBUG] = "1"


@app.command()
def run(
    paths: Paths,
    each: EachOption = False,
    case: AnyCaseOption = None,
    capture: NameOption = None,
    captured_at: TimeOption = None,
    no_crc: CrcOption = False,
    keys: KeysOption = None,
    store_keys: StoreKeysOption = False,
    open_only: OpenOnlyOption = False,
    bootstrap: BootstrapOption = None,
    command_config: CommandConfigOption = None,
    exec_: ExecOption = None,
    engine: EngineOption = None,
    conf: ConfOption = None,
    format: FormatOption = DEFAULT_FORMAT,  # noqa: A002 - the flag's name
    tz: ZoneOption = "UTC",
    output: OutOption = None,
    metrics: MetricsOption = None,
    new_only: NewOption = False,
    min_confidence: ConfidenceOption = CONFIDENCES[-1],
    exit_zero: ZeroOption = False,
    quiet: QuietOption = False,
    full: FullOption = False,
) -> None:
    """Ingest the files, analyze them, print the report."""
    wanted_report = printing.printing(format, tz, output, min_confidence, full=full)
    reading = running.Reading(not no_crc, tuple(keys or ()), store_keys=store_keys, open_only=open_only)
    wanted = running.Wanted(case, conf, quiet, engine, given_way(bootstrap, command_config, exec_))
    with with_standard_input(paths) as given:
        documents, took = running.run(running.requests(given, capture, captured_at, reading, each=each), wanted)
    wanted_report = dataclasses.replace(wanted_report, took=took)
    if metrics is not None:  # a case that the run named itself has another name each time: it is no label
        labelled = documents if case is not None else [{**document, "case": ""} for document in documents]
        printing.write_metrics(labelled, metrics)
    _finish(documents, wanted_report, each=each, new_only=new_only, exit_zero=exit_zero)


@app.command()
def ingest(
    paths: Paths,
    case: CaseOption,
    each: EachOption = False,
    capture: NameOption = None,
    captured_at: TimeOption = None,
    no_crc: CrcOption = False,
    keys: KeysOption = None,
    store_keys: StoreKeysOption = False,
    engine: EngineOption = None,
    conf: ConfOption = None,
    quiet: QuietOption = False,
) -> None:
    """Read files into a case without analyzing them."""
    reading = running.Reading(not no_crc, tuple(keys or ()), store_keys=store_keys)
    requests = running.requests(paths, capture, captured_at, reading, each=each)
    running.ingest(requests, running.Wanted(case, conf, quiet=quiet, engine=engine))


@app.command()
def analyze(
    case: StoredCaseOption = NEWEST,
    capture: NameOption = None,
    bootstrap: BootstrapOption = None,
    command_config: CommandConfigOption = None,
    exec_: ExecOption = None,
    engine: EngineOption = None,
    conf: ConfOption = None,
    exit_zero: ZeroOption = False,
    quiet: QuietOption = False,
) -> None:
    """Analyze a stored capture again, by default the newest."""
    reach = given_way(bootstrap, command_config, exec_)
    documents = running.analyze(capture, running.Wanted(case, conf, quiet, engine, reach))
    raise typer.Exit(_code(running.exit_code(documents), exit_zero=exit_zero))


@app.command()
def report(
    case: StoredCaseOption = NEWEST,
    capture: NameOption = None,
    bootstrap: BootstrapOption = None,
    command_config: CommandConfigOption = None,
    exec_: ExecOption = None,
    engine: EngineOption = None,
    conf: ConfOption = None,
    format: FormatOption = DEFAULT_FORMAT,  # noqa: A002 - the flag's name
    tz: ZoneOption = "UTC",
    output: OutOption = None,
    metrics: MetricsOption = None,
    new_only: NewOption = False,
    min_confidence: ConfidenceOption = CONFIDENCES[-1],
    exit_zero: ZeroOption = False,
    full: FullOption = False,
) -> None:
    """Print the report of a capture that was analyzed before."""
    wanted_report = printing.printing(format, tz, output, min_confidence, full=full)
    wanted = running.Wanted(case, conf, engine=engine, reach=given_way(bootstrap, command_config, exec_))
    if format == POSTMORTEM:
        document, later = incident(case, capture, wanted.config)
        wanted_report = dataclasses.replace(wanted_report, later=later)
    else:
        document = running.report(case, capture, wanted.config)
    if metrics is not None:
        printing.write_metrics([document], metrics)
    _finish([document], wanted_report, each=False, new_only=new_only, exit_zero=exit_zero)


def _finish(
    documents: list[dict[str, Any]],
    wanted_report: printing.Printing,
    *,
    each: bool,
    new_only: bool,
    exit_zero: bool,
) -> None:
    """Write what was judged and exit with its code; with `new_only`, a report only where something opened.

    With `exit_zero`, findings and open questions are no failure: only 2 is left, for what could not run.
    """
    opened = running.anything_opened(documents)
    if opened or not new_only:
        printing.write(documents, wanted_report, each=each)
    code = running.exit_code(documents, findings=opened or not new_only)
    raise typer.Exit(_code(code, exit_zero=exit_zero))


def _code(code: int, *, exit_zero: bool) -> int:
    """Return the exit code, 0 for a verdict if asked; what could not run is told in any case."""
    return 0 if exit_zero and code != running.EXIT_CODES["unusable"] else code


app.command("plan")(rows.plan)
app.command("evidence")(rows.evidence)
app.command("detectors")(inspection.detectors)
app.command("explain")(explaining.explain)
app.command("route")(expansion.route)
app.command("expand")(expansion.expand)
app.command("overhead")(overhead)
app.command("compare")(comparison)
app.command("rescue")(rescue)
app.command("anonymize")(anonymize)
app.command("fetch")(fetch)
app.command("who")(who)
app.command("txn")(txn)
app.command("top")(top)
app.command("timeline")(timeline)
app.command("sql")(inspection.sql)
app.command("vacuum")(vacuum)
app.command("cases")(cases)
app.command("watch")(watch)
app.command("collect-script")(inspection.collect_script)
app.command("doctor")(inspection.doctor)
app.command("fetch-jars")(inspection.fetch_jars)
app.command("submit", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})(inspection.submit)
