"""A group that is told its offsets are pending, although its log has every commit decided (RULES C 5)."""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import checks
from analyzer.detectors.causes import Cause
from analyzer.detectors.model import Action, Explanation, Ref, Step, Way
from analyzer.detectors.subject import OfPartition
from analyzer.detectors.wording import counted, span
from analyzer.kafka.known_bugs.groups import NOT_MATERIALISED
from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfPartition):
    """Positions of one group; the first is told: what a client said of it, and its last transactional commit."""

    group: str
    positions: int
    position_topic: str
    position_partition: int
    producer_id: int
    waited_ms: int
    marker_offset: int
    marker_ms: int
    decision: str | None
    committed_offset: int
    newest_ms: int | None
    zone_ms: int | None
    log_reaches: bool
    wait_ref: Ref | None
    commit_ref: Ref | None


def find(settled: DataFrame) -> DataFrame:
    """Return a row for each group and log, with the first of its positions."""
    named = settled.withColumnsRenamed({"topic": "position_topic", "partition": "position_partition"})
    first = F.struct(
        "position_topic", "position_partition", "producer_id", "waited_ms", "marker_offset", "marker_ms",
        "decision", "committed_offset", "newest_ms", "zone_ms", "log_reaches", "wait_ref", "commit_ref",
    )  # fmt: skip
    folded = named.groupBy("capture", "offsets_partition", "replica", "group").agg(
        F.count("*").alias("positions"), F.min(first).alias("first")
    )
    return folded.select(
        "capture", F.lit(OFFSETS_TOPIC).alias("topic"), F.col("offsets_partition").alias("partition"), "replica",
        "group", "positions", "first.*",
    )  # fmt: skip


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    log, position = e.place, f"{e.position_topic}-{e.position_partition}"
    others = f" and {counted(e.positions - 1, 'more position')}" if e.positions > 1 else ""
    until = f", which reaches to {moment(e.newest_ms)}" if e.log_reaches else "; nothing in it is newer than that line"
    return Explanation(
        headline=f"group {e.group} is told that its position in {position}{others} is pending, and its log has the "
        "marker",
        label="pending in memory",
        confidence="likely" if e.log_reaches and e.zone_ms is None else "possible",
        steps=(
            Step(f"its client waited for stable offsets of {position} at {moment(e.waited_ms)}", e.wait_ref),
            Step(
                f"the last commit of it, {e.committed_offset} by producer {e.producer_id}, was ended by "
                f"{e.decision or 'a marker'} at offset {e.marker_offset}, {span(e.waited_ms - e.marker_ms)} before",
                e.commit_ref,
            ),
            Step(f"no commit of {e.group} for {position} is undecided in {log}{until}"),
        ),
        cause=(
            Cause(
                "the group coordinator answered the marker before the offsets were in its memory, and was unloaded or "
                f"failed in between ({NOT_MATERIALISED.named()})",
                bug=NOT_MATERIALISED,
            ),
            f"a replica of {log} lags: the client says the same of commits that are not replicated yet",
        ),
        refuted_by=f"a commit of {e.group} for {position} in a newer copy of {log} that no marker follows",
        otherwise=_otherwise(e),
        settled_by=None if e.log_reaches else f"a newer copy of {log}",
        action=_action(e, log),
        severity="warning",
    )


def _otherwise(e: Evidence) -> str | None:
    if e.zone_ms is not None:
        ahead = "ahead of" if e.zone_ms > 0 else "behind"
        return (
            f"a wait for a commit that was pending then: the line tells no time zone, and if its writer's clock is "
            f"{span(abs(e.zone_ms))} {ahead} UTC, that explains it"
        )
    return None if e.log_reaches else "a transaction that began after this copy of the log was taken"


def _action(e: Evidence, log: str) -> Action:
    loads = "its log. Nothing is open there, so there is nothing to abort."
    expect = f"a line with Partition: {e.partition}: its Leader, and an Isr as long as its Replicas"
    check = checks.of_topic(OFFSETS_TOPIC, expect)
    if e.log_reaches and e.zone_ms is not None:
        return Action(
            kind="none", word="check first", check=check,
            summary=f"CHECK FIRST of which time zone the client's log is: as UTC, its line was written when nothing of "
            f"{e.group} was pending. If so, restart the leader of {log}: the new one loads the offsets from {loads}",
        )  # fmt: skip
    if not e.log_reaches:
        return Action(
            kind="fetch", word="check first", check=check,
            summary=f"CHECK FIRST, with a newer copy of {log}, that no commit of {e.group} is undecided there. If none "
            f"is, restart the leader of {log}: the new one loads the offsets from {loads}",
        )  # fmt: skip
    return Action(
        kind="none", word="restart the leader", check=check,
        summary=f"RESTART THE LEADER of {log}, or move its leadership: the new leader loads the offsets from {loads}",
    )  # fmt: skip


TOLD = Way(("settled_waits",), Evidence, find, explain, needs=("offset_commits",))
