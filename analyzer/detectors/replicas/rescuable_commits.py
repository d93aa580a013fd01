"""committed_data_lost (TXN015) while it can be undone: a copy that no longer leads still has the committed records."""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import causes, elections
from analyzer.detectors.model import Action, Explanation, Readers, Ref, Step, Way, step_if
from analyzer.detectors.subject import OfPartition, evidence_of
from analyzer.detectors.wording import by_number, counted, offsets, producer
from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.tables.moments import moment

NAMED = 3
"""Transactional ids that a finding names."""


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(elections.Elected, OfPartition):
    """Committed transactions whose records the leader of a partition lost, and the copy that still has them.

    `transactional_id` and `producer_id` are those of all of them, None if they differ. `unmarked` is how many have no
    COMMIT marker in this copy.
    """

    transactional_id: str | None
    producer_id: int | None
    producer_epoch: int | None
    first_offset: int
    last_offset: int
    records: int
    transactions: int
    unmarked: int
    spread: int
    names: str | None
    ids: int
    also_on: str | None
    authority_replica: str
    new_epoch: int
    start_offset: int
    epoch_ref: Ref | None
    first_ref: Ref | None
    marker_ref: Ref | None
    decided_ms: int | None
    last_decided_ms: int | None
    decision_ref: Ref | None


def find(rescuable: DataFrame, elected: DataFrame) -> DataFrame:
    """Return the copies of logs that alone have committed records (RULES E 9), a row for each."""
    who = F.coalesce("transactional_id", F.concat(F.lit("producer "), "producer_id"))
    named = F.array_sort(F.collect_set(who))
    alone = {name: F.when(F.count_distinct(name) == 1, F.max(name)) for name in ("transactional_id", "producer_id")}
    first = F.min(F.struct("first_offset", "first_ref", "marker_ref", "decision_ref", "producer_epoch")).alias("first")
    cut = F.min(F.struct("start_offset", "new_epoch", "epoch_ref")).alias("cut")
    rows = rescuable.groupBy("capture", "topic", "partition", "replica", "authority_replica").agg(
        *[column.alias(name) for name, column in alone.items()],
        first, cut,
        F.max("last_offset").alias("last_offset"),
        F.sum("records").alias("records"),
        F.count("*").alias("transactions"),
        F.count_if(F.col("marker_offset").isNull()).alias("unmarked"),
        F.count_if("spread").alias("spread"),
        F.array_join(F.slice(named, 1, NAMED), ", ").alias("names"),
        F.size(named).alias("ids"),
        F.array_join(F.array_sort(F.array_distinct(F.flatten(F.collect_list("also_on")))), ", ").alias("others"),
        F.min("decided_ms").alias("decided_ms"),
        F.max("decided_ms").alias("last_decided_ms"),
    )  # fmt: skip
    told = rows.withColumn("also_on", F.nullif("others", F.lit(""))).select(
        *[name for name in rows.columns if name not in {"first", "cut", "others"}], "also_on", "first.*", "cut.*"
    )
    one = F.when(F.col("producer_id").isNotNull(), F.col("producer_epoch"))
    return evidence_of(Evidence, elections.with_election(told, elected, F.col("new_epoch")), producer_epoch=one)


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    what = counted(e.records, "committed offset commit" if e.topic == OFFSETS_TOPIC else "committed record")
    are = by_number(e.records, "is", "are")
    return Explanation(
        headline=f"{e.place}: {what} {are} on broker {_holders(e)} only: the leader lost "
        f"{by_number(e.records, 'it', 'them')} when leader epoch {e.new_epoch} began",
        label=f"{e.records:,} committed rec only on broker {_holders(e)}",
        confidence="likely" if e.unmarked == e.transactions else "certain",
        steps=(
            Step(f"{_who(e)} wrote {offsets(e.first_offset, e.last_offset)} on broker {e.replica}", e.first_ref),
            *_decided(e),
            Step(
                f"on broker {e.authority_replica} leader epoch {e.new_epoch} begins at offset {e.start_offset}, "
                "without any of these records",
                e.epoch_ref,
            ),
            *elections.steps(e),
            *step_if(
                e.spread,
                f"{counted(e.spread, 'transaction')} of them began before offset {e.start_offset}: the leader has the "
                "rest of the data, without a marker of theirs there",
            ),
            Step(
                f"broker {e.replica} cuts its log off at offset {e.start_offset} as soon as it follows that leader, "
                f"and {by_number(e.records, 'the record is', 'the records are')} gone (KIP-101)"
            ),
        ),
        cause=causes.cut_off("the records", unclean=bool(e.elected_unclean)),
        since_ms=e.decided_ms,
        readers=Readers("lost_data", e.records),
        refuted_by=f"the same batches, under the older epoch, in a newer copy of the leader's log of {e.place}",
        otherwise=f"{counted(e.unmarked, 'transaction')} of them "
        f"{by_number(e.unmarked, 'has', 'have')} no marker in this copy: the coordinator's next decision is taken for "
        "theirs" if e.unmarked else None,
        settled_by=None if not e.unmarked else "what the owners of these producers know of their commits",
        action=_action(e, what),
    )  # fmt: skip


def _holders(e: Evidence) -> str:
    return f"{e.replica} and {e.also_on}" if e.also_on else e.replica


def _who(e: Evidence) -> str:
    if e.producer_id is not None:
        return f"{e.transactional_id or 'an unknown id'} ({producer(e.producer_id, e.producer_epoch)})"
    more = f" and {e.ids - NAMED} more" if e.ids > NAMED else ""
    return f"{counted(e.transactions, 'transaction')} of {e.names}{more}"


def _decided(e: Evidence) -> tuple[Step, ...]:
    """Return the decision by the coordinator's records, and the marker that carried it out in this copy."""
    several = e.transactions > 1
    until = f" to {moment(e.last_decided_ms)}" if several and e.last_decided_ms != e.decided_ms else ""
    decided = f"the coordinator decided COMMIT at {moment(e.decided_ms)}{until}"
    marked = f"{e.transactions - e.unmarked} of them" if e.unmarked else "all of them" if several else "it"
    return (
        *step_if(e.decided_ms is not None, decided, e.decision_ref),
        *step_if(e.unmarked < e.transactions, f"broker {e.replica} has the COMMIT marker of {marked}", e.marker_ref),
    )


def _action(e: Evidence, what: str) -> Action:
    return Action(
        kind="rescue",
        word="rescue records first",
        summary=f"RESCUE RECORDS FIRST, before anything else. {what} of {e.place} "
        f"{by_number(e.records, 'exists', 'exist')} on broker {_holders(e)} only. Keep it from joining the cluster "
        f"again, or copy its files first: it truncates to offset {e.start_offset} when it follows the leader.",
        loses_records=e.records,
    )


RESCUABLE = Way(("rescuable",), Evidence, find, explain, beside=("elections",), needs=("batches",))
