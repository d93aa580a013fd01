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
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step
from analyzer.detectors.transactions import lost_decision, situation
from analyzer.detectors.wording import counted, offsets, producer, stamp
from analyzer.kafka.topics import STATE_TOPIC


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """An open transaction whose id is at rest; `rest_kind` is ended or moved."""

    topic: str
    partition: int
    replica: str
    transactional_id: str
    producer_id: int
    producer_epoch: int
    first_offset: int
    last_offset: int
    records: int | None
    captured_at: int
    first_ref: Ref | None
    last_ref: Ref | None
    rest_kind: str
    rest_ms: int
    rest_state: str
    rest_producer_id: int | None
    rest_epoch: int | None
    rest_ref: Ref | None
    state_partition: int
    decision: str | None
    previous_marker: str | None
    previous_marker_offset: int | None
    new_leader_epoch: bool
    cleaned: bool
    has_log: bool
    snapshot_offset: int | None


def find(opens: DataFrame, unmarked: DataFrame) -> DataFrame:
    """Return the open transactions of ids that are proven to be at rest, where nothing tells why (RULES D 1, D 3)."""
    cleaned = lost_decision.cleaned_away(unmarked).select(*situation.PRODUCER)
    same = (F.col("rest.producer_id") == F.col("producer_id")) & (F.col("rest.producer_epoch") == F.col("last_epoch"))
    state = F.col("rest.state")
    decision = F.when(same & (state == "CompleteCommit"), "COMMIT").when(same & (state == "CompleteAbort"), "ABORT")
    return (
        situation.judged_or_snapshot(opens)
        .where(situation.unexplained())
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
            (F.coalesce(F.col("log_epoch") > F.col("last_leader_epoch"), F.lit(False))).alias("new_leader_epoch"),
            F.coalesce(F.col("cleaner_checkpoint") > F.col("last_offset"), F.lit(False)).alias("cleaned"),
            "has_log",
            "snapshot_offset",
        )
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    return Explanation(
        headline=f"{counted(e.records, 'record')} of {e.transactional_id} are open, and nobody will end them",
        label="cause unknown",
        confidence="certain" if e.has_log else "likely",
        steps=(
            Step(_data(e), e.first_ref),
            Step(_rest(e), e.rest_ref),
            Step("a running transaction would have an Ongoing record: no coordinator will write a marker here"),
            Step("older records of the id are compacted away: whether this partition was on its list is not known"),
        ),
        cause=_causes(e),
        refuted_by=f"a marker of producer {e.producer_id} in a newer copy of {e.topic}-{e.partition}, or an Ongoing "
        f"record of {e.transactional_id} in a newer copy of {STATE_TOPIC}-{e.state_partition}",
        otherwise=None,
        settled_by=f"the cause: an older copy of {STATE_TOPIC}-{e.state_partition}, and the other replicas of "
        f"{e.topic}-{e.partition}",
        action=_action(e),
    )


def _data(e: Evidence) -> str:
    who = f"{e.transactional_id} ({producer(e.producer_id, e.producer_epoch)})"
    if not e.has_log:
        seen = f"as of the snapshot at offset {e.snapshot_offset}"
        return f"{seen}, {who} is open from offset {e.first_offset}; the log is not here"
    return f"{who} wrote {offsets(e.first_offset, e.last_offset)} as part of a transaction; no marker follows"


def _rest(e: Evidence) -> str:
    since = stamp(e.rest_ms)
    if e.rest_kind == "moved":
        return f"the id went on with {producer(e.rest_producer_id or -1, e.rest_epoch)} ({e.rest_state}) at {since}"
    return f"the id is at rest since {since}: its record there is {e.rest_state}"


def _causes(e: Evidence) -> tuple[str, ...]:
    late = "a late write: a batch that came after the marker of its transaction (TXN002)"
    if e.previous_marker_offset is not None:
        late += f"; {e.previous_marker or 'a marker'} of this producer is at {e.previous_marker_offset}"
    never = "the partition was never added to the transaction (TXN003)"
    causes = [late, never] if e.previous_marker_offset is not None else [never]
    if e.new_leader_epoch:
        causes.append("the marker was cut off: a newer leader epoch begins above this data (TXN008)")
    if e.cleaned:
        causes.append("the log cleaner took the marker (TXN007)")
    if e.rest_kind == "moved":
        causes.append("the coordinator forgot the transaction when it changed (TXN014)")
    return tuple(causes)


def _action(e: Evidence) -> Action:
    if e.decision == "ABORT":
        return actions.abort(
            e,
            f"ABORT IT. The last decision of {e.transactional_id} was ABORT, with this producer id and epoch: nothing "
            "that the producer counts as written is lost.",
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
