"""The commands run, ingest and analyze."""

import dataclasses

import typer

from analyzer.cli import options, printing, running
from analyzer.cli.case.named import NEWEST
from analyzer.cli.judging import options as judging
from analyzer.cli.judging.exit_codes import exit_code
from analyzer.cli.judging.report import DEFAULT_FORMAT, code_of, finish
from analyzer.cli.wanted import Wanted
from analyzer.kafka.reaching.reach import given_way
from analyzer.report.document.confidence import CONFIDENCES
from analyzer.scan.standard_input import with_standard_input
from analyzer.stages.profiling import Profile


def run(
    paths: judging.Paths,
    each: judging.EachOption = False,
    case: options.AnyCaseOption = None,
    capture: judging.NameOption = None,
    captured_at: judging.TimeOption = None,
    no_crc: judging.CrcOption = False,
    keys: judging.KeysOption = None,
    store_keys: judging.StoreKeysOption = False,
    open_only: judging.OpenOnlyOption = False,
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
    quiet: judging.QuietOption = False,
    full: judging.FullOption = False,
) -> None:
    """Ingest the files, analyze them, print the report."""
    wanted_report = printing.printing(format, tz, output, min_confidence, full=full)
    reading = running.Reading(not no_crc, tuple(keys or ()), store_keys=store_keys, open_only=open_only)
    wanted = Wanted(case, conf, quiet, engine, given_way(bootstrap, command_config, exec_))
    with with_standard_input(paths) as given:
        documents, took = running.run(running.requests(given, capture, captured_at, reading, each=each), wanted)
    wanted_report = dataclasses.replace(wanted_report, took=took)
    if metrics is not None:  # a case that the run named itself has another name each time: it is no label
        labelled = documents if case is not None else [{**document, "case": ""} for document in documents]
        printing.write_metrics(labelled, metrics)
    finish(documents, wanted_report, each=each, new_only=new_only, exit_zero=exit_zero)


def ingest(
    paths: judging.Paths,
    case: options.CaseOption,
    each: judging.EachOption = False,
    capture: judging.NameOption = None,
    captured_at: judging.TimeOption = None,
    no_crc: judging.CrcOption = False,
    keys: judging.KeysOption = None,
    store_keys: judging.StoreKeysOption = False,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
    quiet: judging.QuietOption = False,
) -> None:
    """Read files into a case without analyzing them."""
    reading = running.Reading(not no_crc, tuple(keys or ()), store_keys=store_keys)
    requests = running.requests(paths, capture, captured_at, reading, each=each)
    running.ingest(requests, Wanted(case, conf, quiet=quiet, engine=engine))


def analyze(
    case: options.StoredCaseOption = NEWEST,
    capture: judging.NameOption = None,
    bootstrap: options.BootstrapOption = None,
    command_config: options.CommandConfigOption = None,
    exec_: options.ExecOption = None,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
    exit_zero: judging.ZeroOption = False,
    quiet: judging.QuietOption = False,
    profile: judging.ProfileOption = False,
) -> None:
    """Analyze a stored capture again, by default the newest."""
    reach = given_way(bootstrap, command_config, exec_)
    costs = Profile() if profile else None
    documents = running.analyze(capture, Wanted(case, conf, quiet, engine, reach), costs)
    for line in costs.lines() if costs else ():
        typer.echo(line, err=True)
    raise typer.Exit(code_of(exit_code(documents), exit_zero=exit_zero))
