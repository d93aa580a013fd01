"""The command report, and how a command that judges ends: its report, its exit code."""

import dataclasses
from typing import Any

import typer

from analyzer.cli import options, printing
from analyzer.cli.case.named import NEWEST
from analyzer.cli.case.stored import incident, report as stored_report
from analyzer.cli.judging import options as judging
from analyzer.cli.judging.exit_codes import EXIT_CODES, anything_opened, exit_code
from analyzer.cli.wanted import Wanted
from analyzer.kafka.reaching.reach import given_way
from analyzer.report.document.confidence import CONFIDENCES
from analyzer.report.formats import FORMATS

DEFAULT_FORMAT = next(iter(FORMATS))
POSTMORTEM = "postmortem"


def report(
    case: options.StoredCaseOption = NEWEST,
    capture: judging.NameOption = None,
    bootstrap: options.BootstrapOption = None,
    command_config: options.CommandConfigOption = None,
    exec_: options.ExecOption = None,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
    format: judging.FormatOption = DEFAULT_FORMAT,  # noqa: A002 - the flag's name
    tz: judging.ZoneOption = "UTC",
    output: judging.OutOption = None,
    metrics: options.MetricsOption = None,
    new_only: judging.NewOption = False,
    min_confidence: judging.ConfidenceOption = CONFIDENCES[-1],
    exit_zero: judging.ZeroOption = False,
    full: judging.FullOption = False,
) -> None:
    """Print the report of a capture that was analyzed before."""
    wanted_report = printing.printing(format, tz, output, min_confidence, full=full)
    wanted = Wanted(case, conf, engine=engine, reach=given_way(bootstrap, command_config, exec_))
    if format == POSTMORTEM:
        document, later = incident(case, capture, wanted.config)
        wanted_report = dataclasses.replace(wanted_report, later=later)
    else:
        document = stored_report(case, capture, wanted.config)
    if metrics is not None:
        printing.write_metrics([document], metrics)
    finish([document], wanted_report, each=False, new_only=new_only, exit_zero=exit_zero)


def finish(
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
    opened = anything_opened(documents)
    if opened or not new_only:
        printing.write(documents, wanted_report, each=each)
    code = exit_code(documents, findings=opened or not new_only)
    raise typer.Exit(code_of(code, exit_zero=exit_zero))


def code_of(code: int, *, exit_zero: bool) -> int:
    """Return the exit code, 0 for a verdict if asked; what could not run is told in any case."""
    return 0 if exit_zero and code != EXIT_CODES["unusable"] else code
