"""The commands about partition counts: `route` for single ids, `expand` for what a new count would do."""

import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import options, printing
from analyzer.cli.case.named import newest
from analyzer.cli.opened import opened_briefly
from analyzer.cli.wanted import Wanted
from analyzer.errors import UsageError
from analyzer.kafka.hashing import moved_share, partition_for
from analyzer.kafka.topics import INTERNAL_TOPICS, OFFSETS_TOPIC, STATE_TOPIC
from analyzer.pipeline.expansion import Expansion, expansion
from analyzer.pipeline.key_expansion import KeyExpansion, key_expansion
from analyzer.report.sentences.cells import visible

DEFAULT_COUNT = 50
LISTED = 1000
SHOWN = 5
KEY_PROCEDURE = """\
If it must be done, and order by key matters:
  1 stop every producer of the topic, or have them refresh their metadata at once (metadata.max.age.ms)
  2 wait until every group has read each partition to its threshold: the log end then
  3 kafka-topics.sh --bootstrap-server $BOOTSTRAP --alter --topic {topic} --partitions {new}
    and note the time (expanded_at)
  4 start the producers again; later: txn-forensics run FOLDER --keys {topic}
"""
PROCEDURE = """\
If it must be done:
  1 stop every {clients} cleanly, so that nothing is left open; look with
    {look}
  2 kafka-topics.sh --bootstrap-server $BOOTSTRAP --alter --topic {topic} --partitions {new}
  3 stop ALL brokers, then start them: a rolling restart runs both counts at once
  4 start the clients again; {after}
Never shrink, delete or recreate the topic: that loses every {loses} in it.
"""
LOOK = {
    STATE_TOPIC: (
        "transactional producer",
        "kafka-transactions.sh --bootstrap-server $BOOTSTRAP list    (want: Complete*, Empty)",
        "ids that move get a new producer id and do not fence older instances",
        "decision",
    ),
    OFFSETS_TOPIC: (
        "consumer group",
        "kafka-consumer-groups.sh --bootstrap-server $BOOTSTRAP --describe --all-groups > positions.txt",
        "groups that move have no position: set it from positions.txt with --reset-offsets",
        "position",
    ),
}


def route(
    ids: Annotated[list[str], typer.Argument(help="Transactional ids or group ids.", metavar="ID...")],
    counts: Annotated[list[int] | None, typer.Option("-n", help="Partition count; may be repeated.")] = None,
) -> None:
    """Print the internal-topic partition that each id hashes to."""
    wanted = counts or [DEFAULT_COUNT]
    if min(wanted) < 1:
        raise UsageError(f"-n {min(wanted)} is not a partition count.", wanted="1 or more")
    widths = [max(4, len(str(count)) + 2) for count in wanted]
    head = "  ".join(f"{'n=' + str(count):>{width}}" for count, width in zip(wanted, widths, strict=True))
    typer.echo(f"{head}  ID")
    for one in ids:
        row = "  ".join(f"{partition_for(one, count):>{width}}" for count, width in zip(wanted, widths, strict=True))
        typer.echo(f"{row}  {one}")


def expand(
    count: Annotated[int, typer.Option("-n", help="New partition count.")],
    case: options.AnyCaseOption = None,
    ids: Annotated[Path | None, typer.Option("--ids", help="A file with one id per line, instead of a case.")] = None,
    now: Annotated[
        int | None, typer.Option("--from", help="Partition count now; by default what the ids prove.")
    ] = None,
    topic: Annotated[
        str, typer.Option("--topic", help="An internal topic, or one whose keys are in the case.")
    ] = STATE_TOPIC,
    capture: options.CaptureOption = None,
    engine: options.EngineOption = None,
    conf: options.ConfOption = None,
    format: options.TextOrJsonOption = "text",  # noqa: A002 - the flag's name
) -> None:
    """Show which ids or keys a new partition count would move.

    It also shows what that breaks, and how to do it if it must be done.
    """
    if case is None and ids is None:
        case = newest()
    if topic not in INTERNAL_TOPICS and case is None:
        raise UsageError(
            f"no expansion of {topic}.", wanted=" or ".join(INTERNAL_TOPICS) + ", or --case DIR with its keys"
        )
    options.check_format(format, "text", "json")
    for given in (count, now):
        if given is not None and given < 1:
            raise UsageError(f"{given} is not a partition count.", wanted="1 or more")
    if (case is None) == (ids is None):
        raise UsageError("expand needs ids.", wanted="either --case DIR or --ids FILE")
    found: Expansion | KeyExpansion
    if ids is not None:
        found = of_file(ids, topic, now or DEFAULT_COUNT, count, "given" if now else "Kafka's default")
    else:
        config = Wanted(case, conf, engine=engine).config
        with opened_briefly(case or "", config) as opened:
            of_topic = expansion if topic in INTERNAL_TOPICS else key_expansion
            found = of_topic(opened, capture, topic, (now, count), config)
    lines = key_lines(found) if isinstance(found, KeyExpansion) else _lines(found)
    sys.stdout.write(printing.json_rows([dataclasses.asdict(found)]) if format == "json" else "".join(lines))


def of_file(path: Path, topic: str, old: int, new: int, old_from: str) -> Expansion:
    """Return what would happen to the ids of a file, one a line; nothing is known of their transactions."""
    if new <= old:
        raise UsageError(f"-n {new} does not expand {old} partitions.", wanted=f"more than {old}")
    total = moving = 0
    listed: list[dict[str, Any]] = []
    try:
        with path.open(encoding="utf-8", errors="surrogateescape") as stream:
            for line in stream:
                name = line.rstrip("\r\n")
                now, then = partition_for(name, old), partition_for(name, new)
                total += 1
                moving += now != then
                if now != then and len(listed) < LISTED:
                    listed.append({"id": name, "now": now, "then": then})
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}.", wanted="a file with an id a line") from error
    return Expansion(topic, old, new, old_from, total, moving, 0, moved_share(old, new), listed, [])


def _lines(found: Expansion) -> Iterator[str]:
    """Yield the report: what moves, what an expansion would orphan, who serves it, how to do it if it must be."""
    yield f"{found.topic}: {found.old} ({found.old_from}) -> {found.new} partitions\n"
    share = f"{found.moving / found.ids:.1%} of these, " if found.ids else ""
    yield f"{found.moving:,} of {found.ids:,} ids move ({share}{found.share:.1%} of all possible ids)\n"
    if found.brokers:
        yield f"{found.orphaned:,} of them have an unfinished transaction: an expansion now would orphan it\n"
        yield "\nAt the restart of each broker during a rolling restart:\n"
        for row in found.brokers:
            name = "an unknown broker" if row["broker"] in {None, "-"} else f"broker {row['broker']}"
            yield (
                f"  {name}: of {row['ids']:,} ids it leads, {row['moving']:,} in {row['partitions']:,} partitions are "
                f"looked for elsewhere; {row['orphaned']:,} unfinished become orphans\n"
            )
        yield "  until the last one: an id that moves may live in two partitions, with two producer ids\n"
    yield "\n" + "".join(_table(found)) + "\n"
    clients, look, after, loses = LOOK[found.topic]
    yield PROCEDURE.format(
        clients=clients, look=look, after=after, loses=loses, topic=found.topic, new=found.new
    )  # fmt: skip


def _table(found: Expansion) -> Iterator[str]:
    """Yield a line for each listed id that moves: where to, and what its transaction is doing."""
    yield "   NOW   THEN  ID\n"
    for row in found.listed:
        state = row.get("state")
        doing = ""
        if row.get("unfinished"):
            doing = f"  {state}, producer {row['producer_id']}, over {', '.join(row['partitions'] or [])}"
        yield f"{row['now']:6d} {row['then']:6d}  {json.dumps(row['id'], ensure_ascii=True)[1:-1]}{doing}\n"
    hidden = found.moving - len(found.listed)
    if hidden > 0:
        yield f"  and {hidden:,} more\n"


def key_lines(found: KeyExpansion) -> Iterator[str]:
    """Yield the report: which share of keys moves, the thresholds as of now, the groups that must first catch up."""
    topic = visible(found.topic)
    yield f"{topic}: {found.old} ({found.old_from}) -> {found.new} partitions, {found.partitioner}\n"
    share = f"{found.moving / found.keys:.1%} of these, " if found.keys else ""
    yield f"{found.moving:,} of {found.keys:,} keys move ({share}{found.share:.1%} of all possible keys)\n"
    if found.new % found.old:
        yield f"{found.new} is not a multiple of {found.old}: keys also move between partitions there are now\n"
    yield f"{'prior':>7} {'keys':>10} {'moving':>10} {'threshold':>10}  groups that must first catch up\n"
    for row in found.partitions:
        end = "-" if row["threshold"] is None else row["threshold"]
        behind = row["groups"] or []
        names = ", ".join(f"{visible(one['group'])} at {one['position']}" for one in behind[:SHOWN])
        more = f" and {len(behind) - SHOWN} more" if len(behind) > SHOWN else ""
        yield f"{row['partition']:>7} {row['keys']:>10,} {row['moving']:>10,} {end:>10}  {names}{more}".rstrip() + "\n"
    yield KEY_PROCEDURE.format(topic=topic, new=found.new)
