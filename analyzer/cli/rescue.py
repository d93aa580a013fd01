"""The command `rescue`: the records of an open transaction, saved before an abort discards them."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from analyzer.cli import options
from analyzer.cli.case import stored
from analyzer.cli.case.named import NEWEST
from analyzer.config import load_config
from analyzer.errors import UsageError
from analyzer.pipeline.captures import capture_of_finding, newest_capture
from analyzer.pipeline.rescue.saving import rescue as save
from analyzer.pipeline.rescue.targets import Ask
from analyzer.report.formats.rescue_text import rescue_text
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.record_files import JSON_LINES, PARQUET, SUMMARY

INCOMPLETE = 3


def rescue(
    output: Annotated[Path, typer.Option("-o", "--output", help="New folder for the saved records.")],
    case: options.StoredCaseOption = NEWEST,
    paths: Annotated[
        list[str] | None, typer.Argument(help="Files to read instead of those of the capture.", metavar="[PATH...]")
    ] = None,
    finding: Annotated[str | None, typer.Option("--finding", help="Id of a finding about an open transaction.")] = None,
    topic: Annotated[str | None, typer.Option("--topic", help="Topic, instead of a finding.")] = None,
    partition: Annotated[int | None, typer.Option("--partition", help="Partition of the topic.")] = None,
    producer_id: Annotated[int | None, typer.Option("--producer-id", help="Producer id of the transaction.")] = None,
    first: Annotated[int | None, typer.Option("--from", help="First offset; by default the transaction's.")] = None,
    last: Annotated[int | None, typer.Option("--to", help="Last offset; by default the transaction's.")] = None,
    lost: Annotated[
        bool, typer.Option("--lost", help="All committed records that only a copy has which will be cut off.")
    ] = False,
    replica: Annotated[str | None, typer.Option("--replica", help="Broker whose copy is read.")] = None,
    capture: options.CaptureOption = None,
    conf: options.ConfOption = None,
) -> None:
    """Save records before they are gone.

    Those that an abort would discard; with --lost, those that only a copy has which its broker will cut off. They are
    read again from the raw segments of the capture, or from dumps with payloads, and written as JSON lines and
    Parquet. Exit codes: 0 all saved, 2 nothing to read, 3 something is missing or in doubt.
    """
    ask = Ask(finding, topic, partition, producer_id, first, last, replica, lost)
    _check(ask)
    offered = scan_capture(CaptureRequest(tuple(paths))) if paths else None
    with stored.stored_tables(case, load_config(conf)) as read:
        name = newest_capture(read, capture or capture_of_finding(read, finding), case)
        saved = save(read, name, ask, output, offered.files if offered else ())
    sys.stdout.write(rescue_text(saved))
    sys.stdout.write("".join(f"{output / written}\n" for written in (JSON_LINES, PARQUET, SUMMARY)))
    raise typer.Exit(0 if all(one["complete"] for one in saved) else INCOMPLETE)


def _check(ask: Ask) -> None:
    """Raise UsageError unless a finding is named, a producer in a partition, or all that is lost."""
    place = (ask.topic, ask.partition, ask.producer_id)
    offsets = (ask.first_offset, ask.last_offset)
    if ask.lost:
        if any(one is not None for one in (ask.finding, ask.replica, *place, *offsets)):
            raise UsageError("--lost says which records are meant.", wanted="--lost, without --finding or --topic")
        return
    if ask.finding is not None and any(one is not None for one in (*place, *offsets)):
        raise UsageError(
            "--finding says which records are meant.", wanted="--finding ID, or --topic, --partition and --producer-id"
        )
    if ask.finding is None and any(one is None for one in place):
        raise UsageError(
            "no transaction is named.",
            wanted="--finding ID, or --topic, --partition and --producer-id, or --lost",
        )
