"""A transaction is open only in a producer snapshot: its data is no longer in the log.

How it looks
  short-lived-0, log start offset 27
  00000000000000000058.snapshot
    producerId: 1 ... currentTxnFirstOffset: OptionalLong[7] ... lastOffset: 9

Why it happens
  A transaction hung (or was long), and retention or DeleteRecords removed
  its segment. The broker keeps the producer's state in memory and in its
  snapshots, and with it the open transaction: a restart does not help.

What waits
  The LSO cannot be below the log start, so readers stand at the log start
  offset: they see nothing of what came after it, for ever.

Is an abort safe
  Where the coordinator has ended it or knows nothing of it, yes: the data is
  gone, and nothing can be lost by ending it. kafka-transactions.sh abort with
  the old start offset works on offsets that are deleted. Where it says
  Ongoing, let it end the transaction: the marker closes this entry too, and
  the producer may still write. Without its records: get them first.

How sure
  certain   the newest snapshot at or below the log end names the open
            transaction, and the log begins above its last offset

What it is not
  hanging_late_write (TXN002) and its kin: the data is still in the log. A
  snapshot that is older than the marker: the batches after it are counted.

What would refute it
  A newer snapshot without the entry, or describe-producers without it.

Versions
  All that write currentTxnFirstOffset (0.11 and newer).

See also
  KIP-664, KAFKA-14402; scenario snapshot_only;
  txn-forensics explain TXN002
"""

import dataclasses

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.detectors import actions
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step
from analyzer.detectors.transactions import situation
from analyzer.detectors.wording import clock, counted, producer
from analyzer.kafka.topics import STATE_TOPIC


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """An open transaction that only a producer snapshot remembers; `told`: the coordinator's records can say of it."""

    topic: str
    partition: int
    replica: str
    transactional_id: str | None
    producer_id: int
    producer_epoch: int | None
    first_offset: int
    last_offset: int
    records: int | None
    log_start_offset: int
    log_end_offset: int
    snapshot_offset: int | None
    snapshot_ref: Ref | None
    running: bool
    told: bool
    timeout_at: int | None
    captured_at: int
    state_ref: Ref | None


def find(opens: DataFrame) -> DataFrame:
    """Return the open transactions without any data at or above the log start offset (RULES A 9)."""
    return situation.remembered(opens).select(
        "capture", "topic", "partition", "replica", "transactional_id", "producer_id",
        F.coalesce("producer_epoch", "snapshot_epoch").alias("producer_epoch"), "first_offset",
        F.coalesce("last_offset", "snapshot_last_offset", "first_offset").alias("last_offset"),
        F.lit(None).cast("bigint").alias("records"), "log_start_offset", "log_end_offset", "snapshot_offset",
        "snapshot_ref", F.col("running").isNotNull().alias("running"),
        situation.coordinator_told().alias("told"),
        (F.col("running.begun_ms") + F.col("running.timeout_ms")).alias("timeout_at"), "captured_at",
        F.coalesce("running.latest.ref", "newest.ref").alias("state_ref"),
    )  # fmt: skip


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    who = e.transactional_id or f"producer {e.producer_id}"
    waits = counted(e.log_end_offset - e.log_start_offset, "offset")
    return Explanation(
        headline=f"a transaction of {who} is open from offset {e.first_offset}, which is no longer in the log",
        label="data gone",
        confidence="certain",
        steps=(
            Step(
                f"the newest snapshot has {producer(e.producer_id, e.producer_epoch)} open from offset "
                f"{e.first_offset}, last offset {e.last_offset}",
                e.snapshot_ref,
            ),
            Step(f"the log begins at offset {e.log_start_offset}: the LSO stands there, {waits} wait behind it"),
            *_state(e),
        ),
        cause=(
            (
                "retention or DeleteRecords removed the data of a transaction that was still open; the broker keeps "
                "the producer's state, also over restarts"
            ),
        ),
        refuted_by=f"a newer snapshot, or describe-producers, without producer {e.producer_id}",
        settled_by=None if e.told else STATE_TOPIC,
        action=_action(e, who),
    )


def _state(e: Evidence) -> tuple[Step, ...]:
    if e.running:
        return (Step(f"its coordinator says Ongoing, until {clock(e.timeout_at)}", e.state_ref),)
    if e.state_ref is not None:
        return (Step("its coordinator has ended this transaction, or never knew this part of it", e.state_ref),)
    return ()


def _action(e: Evidence, who: str) -> Action:
    if e.running and e.timeout_at is not None and e.timeout_at > e.captured_at:
        return Action(
            kind="wait",
            summary=f"WAIT until {clock(e.timeout_at)}: the coordinator ends {who} by then, and its marker frees "
            f"{e.topic}-{e.partition}. If it does not, abort at offset {e.first_offset}.",
        )
    if not e.told:
        return Action(
            kind="fetch",
            summary="FIND OUT FIRST. Get __transaction_state: a transaction that it calls Ongoing is ended by its "
            f"coordinator, and the marker frees {e.topic}-{e.partition}. If there is none, an abort loses nothing: the "
            "records are gone already.",
        )
    return actions.abort(e, "ABORT IT. The records are gone already: nothing is left that an abort could lose.", None)


DETECTOR = Detector(
    code="TXN009",
    name="snapshot_only",
    severity="critical",
    reads=("opens",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
    needs=("batches",),
)
