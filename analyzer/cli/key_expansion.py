"""Prints what `expand --topic TOPIC` has found about a keyed topic."""

from collections.abc import Iterator

from analyzer.pipeline.key_expansion import KeyExpansion
from analyzer.report.sentences.cells import visible

SHOWN = 5
PROCEDURE = """\
If it must be done, and order by key matters:
  1 stop every producer of the topic, or have them refresh their metadata at once (metadata.max.age.ms)
  2 wait until every group has read each partition to its threshold: the log end then
  3 kafka-topics.sh --bootstrap-server $BOOTSTRAP --alter --topic {topic} --partitions {new}
    and note the time (expanded_at)
  4 start the producers again; later: txn-forensics run FOLDER --keys {topic}
"""


def key_lines(found: KeyExpansion) -> Iterator[str]:
    """Yield the report: which share of keys moves, the thresholds as of now, the groups that must first catch up."""
    topic = visible(found.topic)
    yield f"{topic}: {found.old} ({found.old_from}) -> {found.new} partitions, {found.partitioner}\n"
    share = f"{found.moving / found.keys:.1%} of these, " if found.keys else ""
    yield f"{found.moving:,} of {found.keys:,} keys move ({share}{found.share:.1%} of all possible keys)\n"
    if found.new % found.old:
        yield f"{found.new} is no multiple of {found.old}: keys also move between partitions there are now\n"
    yield f"{'prior':>7} {'keys':>10} {'moving':>10} {'threshold':>10}  groups that must first catch up\n"
    for row in found.partitions:
        end = "-" if row["threshold"] is None else row["threshold"]
        behind = row["groups"] or []
        names = ", ".join(f"{visible(one['group'])} at {one['position']}" for one in behind[:SHOWN])
        more = f" and {len(behind) - SHOWN} more" if len(behind) > SHOWN else ""
        yield f"{row['partition']:>7} {row['keys']:>10,} {row['moving']:>10,} {end:>10}  {names}{more}".rstrip() + "\n"
    yield PROCEDURE.format(topic=topic, new=found.new)
