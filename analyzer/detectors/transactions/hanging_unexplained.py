"""Nothing will end this transaction, and the files no longer show why it hangs.

How it looks
  __transaction_state, compacted: one record of the id is left
    state=CompleteCommit producerId=7 txnLastUpdateTimestamp=10:00:05
  orders-0
  40..44 data    producer 7 epoch 3      <- open, no marker after it
  90     COMMIT  producer 9 epoch 0      10:04:11

Why it happens
  A running transaction has an Ongoing record, and a Complete record means
  that all markers are written. If an id is at rest and has open data, the
  data hangs. Compaction removed the partition lists, so the causes that
  remain cannot be told apart: a late write (TXN002), a partition that was
  never registered (TXN003), a marker lost in a truncation (TXN008), a marker
  that the cleaner removed (TXN007), an id that its coordinator forgot
  (TXN014).
  Without any record of the coordinator, only the age counts: no client may
  ask for a timeout above transaction.max.timeout.ms.

What waits
  read_committed readers stop at the LSO, the first of these records. The
  cleaner does not pass it in a compacted topic.

Is an abort safe
  Yes, if the newest decision that can cover the data is ABORT, of the same
  producer id and epoch. If it is COMMIT, of another producer id, or unknown:
  save the records first. kafka-transactions.sh can only write ABORT.

How sure
  certain   the id is at rest, and the copies of the partition and of the id's
            state partition both reach far enough to prove it; or the capture
            has no record of the coordinator but gives the limit, and the
            transaction is older than that
  likely    the capture has no record of the coordinator, and the transaction
            is older than transaction.max.timeout.ms allows by default; or
            only a producer snapshot shows it
  possible  the same, by the producer's own timestamps alone
  undecided the copies may be older than what would have ended it

What it is not
  in_flight, completing: an Ongoing or Prepare record is the id's newest.
  hanging_late_write (TXN002) and the like: the files still show the cause.

What would refute it
  A marker of the producer id in a newer copy of the partition, or an Ongoing
  record of the id in a newer copy of its state partition.

Versions
  All. A two-phase-commit id (4.1 and newer) may stay open without a limit.

See also
  KIP-98, KIP-664, KIP-890, KIP-939; txn-forensics explain TXN002, TXN003
  Rules: D 1, D 3, D 4, D 5.
"""

import dataclasses

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.detectors import actions
from analyzer.detectors.commands import find_hanging_command
from analyzer.detectors.model import Action, Confidence, Detector, Explanation, Ref, Step
from analyzer.detectors.transactions import lost_decision, situation
from analyzer.detectors.wording import counted, offsets, producer, span, stamp
from analyzer.kafka.topics import STATE_TOPIC


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """An open transaction that nobody will end: its id is at rest (`rest_kind` ended or moved), or it is too old."""

    topic: str
    partition: int
    replica: str
    transactional_id: str | None
    producer_id: int
    producer_epoch: int
    first_offset: int
    last_offset: int
    records: int | None
    captured_at: int
    first_ref: Ref | None
    last_ref: Ref | None
    rest_kind: str | None
    rest_ms: int | None
    rest_state: str | None
    rest_producer_id: int | None
    rest_epoch: int | None
    rest_ref: Ref | None
    state_partition: int | None
    decision: str | None
    previous_marker: str | None
    previous_marker_offset: int | None
    previous_marker_ms: int | None
    previous_marker_ref: Ref | None
    written_ms: int | None
    open_since_ms: int | None
    max_timeout_ms: int
    max_timeout_told: bool
    new_leader_epoch: bool
    cleaned: bool
    emptied_offset: int | None
    has_log: bool
    snapshot_offset: int | None


def find(opens: DataFrame, unmarked: DataFrame) -> DataFrame:
    """Return the open transactions of ids at rest, and those older than any timeout, where nothing tells why."""
    cleaned = lost_decision.cleaned_away(unmarked).select(*situation.PRODUCER)
    same = (F.col("rest.producer_id") == F.col("producer_id")) & (F.col("rest.producer_epoch") == F.col("last_epoch"))
    state = F.col("rest.state")
    decision = F.when(same & (state == "CompleteCommit"), "COMMIT").when(same & (state == "CompleteAbort"), "ABORT")
    aged = (
        situation.judged(opens)
        .where(situation.over_age())
        .withColumn("rest", F.lit(None).cast(opens.schema["rest"].dataType))
    )
    resting = situation.judged_or_snapshot(opens).where(situation.unexplained())
    return (
        resting.unionByName(aged)
        .join(cleaned, list(situation.PRODUCER), "left_anti")
        .select(
            *situation.subject(),
            F.col("rest.kind").alias("rest_kind"),
            F.col("rest.ms").alias("rest_ms"),
            F.col("rest.state").alias("rest_state"),
            F.col("rest.producer_id").alias("rest_producer_id"),
            F.col("rest.producer_epoch").alias("rest_epoch"),
            F.col("rest.ref").alias("rest_ref"),
            F.col("rest.state_partition").alias("state_partition"),
            decision.alias("decision"),
            "previous_marker",
            "previous_marker_offset",
            F.col("marker_ms").alias("previous_marker_ms"),
            F.col("marker_ref").alias("previous_marker_ref"),
            situation.written_ms().alias("written_ms"),
            situation.open_since_ms().alias("open_since_ms"),
            "max_timeout_ms",
            "max_timeout_told",
            F.coalesce(F.col("log_epoch") > F.col("last_leader_epoch"), F.lit(False)).alias("new_leader_epoch"),
            F.coalesce(F.col("cleaner_checkpoint") > F.col("last_offset"), F.lit(False)).alias("cleaned"),
            "emptied_offset",
            "has_log",
            "snapshot_offset",
        )
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    who, records = _who(e), counted(e.records, "record")
    if e.rest_kind is None:
        headline = f"{records} of {who} have been open for {span(_age_ms(e))}, longer than any client may ask for"
    else:
        headline = f"{records} of {who} are open, and nobody will end them"
    return Explanation(
        headline=headline if _confidence(e) == "certain" else f"probably hanging: {headline}",
        label="cause unknown",
        confidence=_confidence(e),
        steps=(Step(_data(e), e.first_ref), *(_rest(e) if e.rest_kind else _age(e)), *_late(e)),
        cause=_causes(e),
        refuted_by=_refuted(e),
        otherwise="a two-phase-commit transaction (KIP-939) has no timeout and may stay open"
        if e.rest_kind is None
        else None,
        settled_by=_settled(e),
        action=_action(e),
    )


def _who(e: Evidence) -> str:
    return e.transactional_id or f"producer {e.producer_id}"


def _age_ms(e: Evidence) -> int:
    return e.captured_at - (e.open_since_ms or e.written_ms or e.captured_at)


def _confidence(e: Evidence) -> Confidence:
    if e.rest_kind is not None:
        return "certain" if e.has_log and e.emptied_offset is None else "likely"
    if e.open_since_ms is None:
        return "possible"
    return "certain" if e.max_timeout_told else "likely"


def _data(e: Evidence) -> str:
    who = f"{_who(e)} ({producer(e.producer_id, e.producer_epoch)})"
    if not e.has_log:
        seen = f"as of the snapshot at offset {e.snapshot_offset}"
        return f"{seen}, {who} has a transaction open from offset {e.first_offset}; the log is not here"
    return f"{who} wrote {offsets(e.first_offset, e.last_offset)} as part of a transaction; no marker follows"


def _rest(e: Evidence) -> tuple[Step, ...]:
    since = stamp(e.rest_ms)
    text = f"the id is at rest since {since}: its record is {e.rest_state}"
    if e.rest_kind == "moved":
        text = f"the id went on with {producer(e.rest_producer_id or -1, e.rest_epoch)} ({e.rest_state}) at {since}"
    return (
        Step(text, e.rest_ref),
        Step("a running transaction would have an Ongoing record: no coordinator will write a marker here"),
        Step("older records of the id are compacted away: whether this partition was on its list is not known"),
    )


def _age(e: Evidence) -> tuple[Step, ...]:
    if e.open_since_ms is not None:
        since = f"a time that a broker set at a later offset shows that it was there by {stamp(e.open_since_ms)}"
    else:
        since = f"by the producer's own clock it was written at {stamp(e.written_ms)}; no time of a broker follows"
    source = "capture.toml" if e.max_timeout_told else "Kafka's default; the capture does not say"
    return (
        Step(since),
        Step(f"no client may ask for more than {span(e.max_timeout_ms)} (transaction.max.timeout.ms, {source})"),
        Step("no record of the producer id in __transaction_state is here: whose it is and why it hangs is not known"),
    )


def _late(e: Evidence) -> tuple[Step, ...]:
    """Say where the data looks like a late write: a marker right before it, data stamped before that marker."""
    if e.previous_marker_ms is None or e.written_ms is None or e.written_ms > e.previous_marker_ms:
        return ()
    text = (
        f"the {e.previous_marker or 'marker'} of this producer at offset {e.previous_marker_offset} is of "
        f"{stamp(e.previous_marker_ms)}, later than the data's own timestamp {stamp(e.written_ms)}: it looks like a "
        "late write (TXN002)"
    )
    return (Step(text, e.previous_marker_ref),)


def _causes(e: Evidence) -> tuple[str, ...]:
    late = "a late write: a batch that came after the marker of its transaction (TXN002)"
    never = "the partition was never added to the transaction (TXN003)"
    causes = [late, never] if e.previous_marker_offset is not None else [never]
    if e.emptied_offset is not None:
        causes.insert(0, f"the cleaner emptied the marker at offset {e.emptied_offset} before this replica fetched it")
    if e.new_leader_epoch:
        causes.append("the marker was cut off: a newer leader epoch begins above this data (TXN008)")
    if e.cleaned:
        causes.append("the log cleaner took the marker (TXN007)")
    if e.rest_kind == "moved" or e.rest_kind is None:
        causes.append("the coordinator forgot the transaction when it changed (TXN014)")
    return tuple(causes)


def _refuted(e: Evidence) -> str:
    marker = f"a marker of producer {e.producer_id} in a newer copy of {e.topic}-{e.partition}"
    if e.rest_kind is None:
        return f"{marker}, or a record of producer {e.producer_id} in {STATE_TOPIC} that calls it Ongoing"
    return f"{marker}, or an Ongoing record of {_who(e)} in a newer copy of {STATE_TOPIC}-{e.state_partition}"


def _settled(e: Evidence) -> str:
    if e.rest_kind is None:
        return f"{STATE_TOPIC}, all partitions"
    state = f"{STATE_TOPIC}-{e.state_partition}"
    return f"the cause: an older copy of {state}, and the other replicas of {e.topic}-{e.partition}"


def _action(e: Evidence) -> Action:
    if e.rest_kind is None:
        summary = (
            "ASK THE CLUSTER FIRST, DO NOT ABORT YET. If it still calls this transaction hanging, save the "
            f"{counted(e.records, 'record')}, then abort: an abort discards what the producer may count as written."
        )
        action = actions.save_then_abort(e, summary, f"producer {e.producer_id}, start offset {e.first_offset}")
        return dataclasses.replace(action, check_command=find_hanging_command(e.topic, e.partition))
    if e.decision == "ABORT":
        return actions.abort(
            e,
            f"ABORT IT. The last decision of {_who(e)} was ABORT, with this producer id and epoch: nothing that the "
            "producer counts as written is lost.",
            e.rest_state,
        )
    told = "The last decision of the id was COMMIT" if e.decision == "COMMIT" else "What was decided is not known"
    return actions.save_then_abort(
        e,
        f"DO NOT ABORT YET. {told}, and kafka-transactions.sh can only write ABORT: it discards "
        f"{counted(e.records, 'record')} that the producer may count as written.",
        e.rest_state,
    )


DETECTOR = Detector(
    code="TXN013",
    name="hanging_unexplained",
    severity="critical",
    reads=("opens",),
    beside=("unmarked",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
    needs=("batches",),
)
