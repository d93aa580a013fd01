"""What the expansion of an internal topic would do to the ids of a capture."""

import dataclasses
from typing import Any

from pyspark.sql import functions as F

from analyzer.config import Config
from analyzer.errors import UsageError
from analyzer.kafka.hashing import moved_share
from analyzer.lifecycles import ALL
from analyzer.lifecycles.routing.expansion import by_broker, moved
from analyzer.pipeline.captures import newest_capture
from analyzer.pipeline.workbench import workbench
from analyzer.stages.running import Run
from analyzer.storage.case import Case
from analyzer.storage.in_session import rows_of_case


@dataclasses.dataclass(frozen=True, slots=True)
class Expansion:
    """What would happen: the counts, how many ids move, a bounded list of them, and a row for each broker."""

    topic: str
    old: int
    new: int
    old_from: str
    ids: int
    moving: int
    orphaned: int
    share: float
    listed: list[dict[str, Any]]
    brokers: list[dict[str, Any]]


def expansion(case: Case, capture: str | None, topic: str, counts: tuple[int | None, int], config: Config) -> Expansion:
    """Return what more partitions of this topic would do to the ids of the named capture, or of the newest.

    `counts` are the count now, or None for the one that the ids prove, and the new one. Raises UsageError if the ids do
    not prove the count now, or if the new count is not larger.
    """
    with workbench(case, [newest_capture(rows_of_case(case), capture, case.location)]) as bench:
        run = Run(ALL, bench, config)
        fits = {row.topic: row for row in run["routing_counts"].collect()}
        old, old_from = _count_now(counts[0], fits.get(topic), topic)
        new = counts[1]
        if new <= old:
            raise UsageError(f"-n {new} does not expand {old} partitions.", wanted=f"more than {old}")
        held = run["held_ids"].where(F.col("topic") == topic)
        moves = bench.hold.keep(moved(held, run["logs"], old, new), None)
        brokers = [row.asDict() for row in by_broker(moves).orderBy("broker").collect()]
        first = moves.where("moves").orderBy(F.col("unfinished").desc(), "id").limit(config.limits.findings_per_code)
        return Expansion(
            topic, old, new, old_from, sum(row["ids"] for row in brokers), sum(row["moving"] for row in brokers),
            sum(row["orphaned"] for row in brokers), moved_share(old, new),
            [row.asDict(recursive=True) for row in first.collect()], brokers,
        )  # fmt: skip


def _count_now(given: int | None, fit: Any, topic: str) -> tuple[int, str]:  # noqa: ANN401 - a Spark row
    if given is not None:
        return given, "given"
    if fit is None:
        raise UsageError(f"no ids of {topic} in this capture.", wanted=f"a dump of {topic}, or --from COUNT")
    if fit.new_count is None or (fit.how == "one" and fit.rivals):
        raise UsageError(
            f"{fit.ids} ids of {topic} do not tell its count: {', '.join(fit.rivals) or 'none'} would do as well.",
            do="give it with --from COUNT (kafka-topics.sh --describe)",
        )
    return fit.new_count, f"proven by {fit.ids} ids, {fit.counts_confidence}"
