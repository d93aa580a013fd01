"""Records of one transaction were decided by the marker of the id's next transaction.

How it looks
  15..19 data    producer 3 epoch 0
  20     ABORT   producer 3 epoch 0      <- the transaction ends here
  21..23 data    producer 3 epoch 0      <- late records of the same transaction
  27..30 data    producer 3 epoch 0      <- the next transaction: the partition
  31     COMMIT  producer 3 epoch 0         was added to it only after 23
  Or the marker between two transactions was lost, and the next one's marker
  ended both: __transaction_state has one more decision than there are markers.

Why it happens
  A delayed Produce request was appended after the marker, and the producer id
  began its next transaction here before anybody noticed (KAFKA-12671). Or an
  election cut off the marker, and the producer, which saw no error, went on
  (TXN008).

What waits
  Nothing: the LSO moves on and find-hanging is silent. Wrong data was
  delivered: read_committed readers see aborted records, or miss committed
  ones.

Is an abort safe
  There is nothing left to abort, and no command takes a marker back. Notify
  the consumers' owners of the offsets. If committed records are hidden, read
  them with isolation.level=read_uncommitted while they are still in the log,
  and produce them again.

How sure
  certain   a later offset proves that the records were here more than 1 s
            before the id registered this partition again (a LogAppendTime, or
            a batch whose transaction was decided by then); or their epoch is
            below that of the transaction around them, and no offset is missing
            between; or the marker of the decision in between is missing here
  likely    the same, with less than 1 s between
  possible  a snapshot says that the records were decided before: they change
            sides only when a replica rebuilds its state

What it is not
  A healthy next transaction, which normally continues epoch and sequence.
  Offsets and CreateTime prove nothing, nor does a marker's timestamp: it is
  taken before the marker is appended.
  hanging_late_write (TXN002): no later marker of the id came, so it hangs.

What would refute it
  An Ongoing record of the next transaction that names this partition and is
  older than the records; a marker of the id after them in another copy.

Versions
  All, if the client keeps its epoch between transactions. Verification (3.6
  and newer, KIP-890) stops the hang, not the slip: 3.9 and 4.1 still accept a
  batch that was delayed until the next transaction added the partition. With
  an epoch per transaction (transaction.version 2, 4.0 and newer) the late
  batch is refused; late markers were accepted until 4.2 (KAFKA-19446).

See also
  KIP-890, KAFKA-12671; txn-forensics explain TXN002, TXN008
  Rules: A 6 d, A 7.
"""

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import causes
from analyzer.detectors.model import Confidence, Detector, Explanation, Step, Way
from analyzer.detectors.transactions import lost_decision
from analyzer.detectors.transactions.slips import Evidence, action, end_step, left_over, readers
from analyzer.detectors.wording import by_number, counted, offsets, producer, span
from analyzer.tables.moments import moment
from analyzer.tables.unions import union_filled

CERTAIN_MARGIN_MS = 1_000


def find(slips: DataFrame, unmarked: DataFrame) -> DataFrame:
    """Return spans with batches older than the registration of the transaction around them (RULES A 7), and left-overs.

    Left over is data whose own marker was lost and that a later transaction's marker ended (RULES A 6 d).
    """
    who = ("capture", "topic", "partition", "replica", "transactional_id", "producer_id", "producer_epoch")
    spans = unmarked.where("closer = 'later' AND completed_ms IS NOT NULL")
    late = slips.join(spans.select(*lost_decision.KEY), list(lost_decision.KEY), "left_anti").select(
        *who, F.col("slipped_first").alias("first_offset"), F.col("slipped_last").alias("last_offset"),
        F.col("slipped_records").alias("records"), F.col("first_batch.batch_ref").alias("first_ref"),
        "appended_by_ms", "registered_ms", "registered_ref", "begin_epoch", "spread_ms", "proven_last",
        "newer_offset", "newer_ref", "previous_marker", "previous_marker_offset", "decision", "marker_offset",
        "marker_ref",
    )  # fmt: skip
    left = spans.where("unread_offset IS NULL").select(
        *who, "first_offset", "last_offset", "records", "first_ref", F.col("marker").alias("decision"),
        "marker_offset", "marker_ref", F.col("decision").alias("own_decision"),
        F.col("decided_ms").alias("own_decided_ms"),
        F.coalesce("prepared_ref", "completed_ref").alias("own_ref"), F.col("later_epoch.epoch").alias("new_epoch"),
        F.col("later_epoch.offset").alias("epoch_offset"), F.col("later_epoch.ref").alias("epoch_ref"), "parted",
        "snapshot_ref",
    )  # fmt: skip
    return union_filled(late, left)


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    return _late(e) if e.own_decision is None else left_over(e)


def _late(e: Evidence) -> Explanation:
    records = counted(e.records, "record")
    fate = f"{by_number(e.records, 'is', 'are')} inside its next one, which is still open"
    if e.decision is not None:
        ended = "committed" if e.decision == "COMMIT" else "aborted"
        fate = f"{by_number(e.records, 'was', 'were')} {ended} with its next one"
    confidence: Confidence = "certain" if _of_older_epoch(e) or _margin_ms(e) > CERTAIN_MARGIN_MS else "likely"
    return Explanation(
        headline=f"{records} of an ended transaction of {e.who} {fate}",
        label="ended by the next transaction",
        confidence=confidence,
        steps=(*(_by_epoch(e) if _of_older_epoch(e) else _by_time(e)), end_step(e)),
        cause=causes.SLIPPED,
        since_ms=e.appended_by_ms,
        refuted_by=_refuted_by(e),
        otherwise=None
        if _of_older_epoch(e)
        else "a producer that writes before it adds the partition to its transaction",
        readers=readers(e),
        action=action(e, records, confidence),
    )


def _of_older_epoch(e: Evidence) -> bool:
    return e.begin_epoch is not None and e.producer_epoch is not None and e.producer_epoch < e.begin_epoch


def _refuted_by(e: Evidence) -> str:
    if e.registered_ms is None:
        between = f"between offsets {e.last_offset} and {e.newer_offset}"
        return f"a marker of producer {e.producer_id} {between} in another copy"
    return (
        f"a record of that next transaction in __transaction_state, from before {moment(e.registered_ms)}, "
        "that names this partition"
    )


def _margin_ms(e: Evidence) -> int:
    return (e.registered_ms or 0) - (e.appended_by_ms or 0) - (e.spread_ms or 0)


def _by_epoch(e: Evidence) -> tuple[Step, ...]:
    """Return how the epochs prove it: a client of the newer one writes no batch of the older one."""
    where = f"{offsets(e.first_offset, e.last_offset)} ({producer(e.producer_id, e.producer_epoch)})"
    are = "is" if e.first_offset == e.last_offset else "are"
    older = Step(f"{where} {are} of a producer that was fenced or has gone on to a higher epoch", e.first_ref)
    if e.registered_ms is None:
        told = f"has epoch {e.begin_epoch} from offset {e.newer_offset} on, and no marker of the producer is in between"
        return older, Step(f"the transaction around them {told}", e.newer_ref)
    told = f"began with epoch {e.begin_epoch}: {e.transactional_id} added this partition to it at"
    return older, Step(f"the transaction around them {told} {moment(e.registered_ms)}", e.registered_ref)


def _by_time(e: Evidence) -> tuple[Step, ...]:
    """Return how times prove it: a later record carries one from before the registration."""
    return (
        Step(
            f"{offsets(e.first_offset, e.proven_last or e.last_offset)} "
            f"({producer(e.producer_id, e.producer_epoch)}) were in the log by {moment(e.appended_by_ms)}: a "
            "later record carries that time",
            e.first_ref,
        ),
        Step(
            f"{e.transactional_id} added this partition to its next transaction {span(_margin_ms(e))} later, at "
            f"{moment(e.registered_ms)}",
            e.registered_ref,
        ),
        *_with_them(e),
    )


def _with_them(e: Evidence) -> tuple[Step, ...]:
    """Return which records go with those that are proven, by the producer's own clock."""
    if e.proven_last is None or e.proven_last >= e.last_offset:
        return ()
    rest = offsets(e.proven_last + 1, e.last_offset)
    made = "by the producer's own clock it was made before the id's last decision"
    return (Step(f"{rest} is of the same transaction: {made}"),)


DETECTOR = Detector("TXN011", "warning", Way(("slips", "unmarked"), Evidence, find, explain))
