"""The log cleaner removed an ABORT marker, or its .txnindex entry, before the aborted data (KAFKA-13727).

How it looks
  stage precursor: the marker is there, the .txnindex does not list its range
    6      data    producer 1 epoch 0
    7      ABORT   producer 1 epoch 0      (with a delete horizon)
    00000000000000000000.txnindex          no entry for producer 1 .. 7
  stage done: the marker is gone, the data is not
    6      data    producer 1 epoch 0      <- open for whoever reads this log
    8 ...                                  <- the cleaner took 7
    __transaction_state: state=CompleteAbort
  stage one replica: a follower has it open, the leader has not
    3..4   data    producer 1 epoch 0
    5      (a control batch of producer 1 without a record)

Why it happens
  The cleaner cleans segments up to where its offset map is full. Affected
  versions looked up aborted transactions only up to the last offset of the map:
  an ABORT after it seemed to have no data, so the .txnindex was rewritten
  without it and, after its delete horizon, the marker removed. Or a later
  record has the key of the marker, 4 bytes with 0 (KAFKA-14055). One replica:
  it lagged by more than delete.retention.ms and fetched the marker when that
  had been emptied: its transaction never closes there.

What waits
  stage precursor: nothing hangs, but read_committed readers get the aborted
  records, and compaction may let them replace committed values of their keys.
  stage done: the leader that saw the marker counts it as ended. A new replica,
  or a leader after an unclean restart, finds it open, and its LSO stops there.
  stage one replica: nothing, until that replica leads; then readers stop at
  its LSO. Rebuild it before: take it out of the replicas and add it again.

Is an abort safe
  Yes: ABORT is what was decided. kafka-transactions.sh abort writes the
  missing marker; it works only on a broker that has the transaction open.

How sure
  certain   the newest .snapshot says nothing is open, or another capture or
            replica still has the marker over the same data
  likely    ABORT was decided, and the cleaner left a gap after the data
  possible  the log alone shows open data and a gap after it; for the
            precursor: the .txnindex is not in the capture

What it is not
  marker_missing_abort (TXN005), marker_lost_truncation (TXN008): no gap after
  the data. A log cleaned properly: a marker goes only after its data.

What would refute it
  The marker in another copy of this segment that was cleaned at least as far;
  for the precursor an entry in the .txnindex of the marker's segment.

Versions
  KAFKA-13727: fixed in 2.8.2, 3.0.2, 3.1.1 and 3.2.0. KAFKA-14055, which also
  takes COMMIT markers (TXN004): fixed in 3.0.2, 3.1.2, 3.2.1 and 3.3.0.

See also
  KAFKA-13727, KAFKA-14055; txn-forensics explain TXN004, TXN005, TXN011
  Rules: A 6 b, A 8.
"""

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import actions
from analyzer.detectors.causes import cleaned
from analyzer.detectors.certainty import by_decision, certainty
from analyzer.detectors.model import Action, Confidence, Detector, Explanation, Readers, Step, Sure, Way, step_if
from analyzer.detectors.replicas.open_on_replica import ON_ONE_REPLICA
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.transactions import lost_decision
from analyzer.detectors.transactions.cleaned import Cleaned, precursor
from analyzer.detectors.wording import offsets, producer
from analyzer.kafka.cleaner_example import worked_example
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.tables.moments import moment
from analyzer.tables.unions import union_filled


def find(unmarked: DataFrame, unlisted_aborts: DataFrame, opens: DataFrame) -> DataFrame:
    """Return both stages: data with a gap where its ABORT marker was, and markers whose range no txnindex lists."""
    who = ("capture", "topic", "partition", "replica", "transactional_id", "producer_id", "producer_epoch",
           "first_offset", "last_offset", "records")  # fmt: skip
    done = lost_decision.cleaned_away(unmarked, opens).select(
        *who, F.lit("done").alias("stage"), "first_ref", "decision", "decided_ms",
        F.coalesce("prepared_ref", "completed_ref").alias("decision_ref"),
        F.col("gap.offset").alias("gap_offset"), F.col("gap.kind").alias("gap_kind"),
        F.col("gap.ref").alias("gap_ref"), "gap_certain", "snapshot_ref",
        F.concat(F.lit("broker "), "witness.replica", F.lit(" of capture "), "witness.capture").alias("witness"),
        F.col("witness.ref").alias("witness_ref"), "broker_open", "marker_offset",
    )  # fmt: skip
    precursors = unlisted_aborts.select(
        *who, F.lit("precursor").alias("stage"), F.col("first_batch.batch_ref").alias("first_ref"),
        F.lit(False).alias("broker_open"), "marker_offset", "marker_ref", "index_path",
    )  # fmt: skip
    return evidence_of(Cleaned, union_filled(lost_decision.with_replicas(done, opens), precursors))


def explain(e: Cleaned) -> Explanation:
    """Put the finding into words."""
    return precursor(e) if e.stage == "precursor" else _done(e)


def _done(e: Cleaned) -> Explanation:
    writer, sure = producer(e.producer_id, e.producer_epoch), _confidence(e)
    who = e.transactional_id or writer
    told = f"the coordinator decided ABORT at {moment(e.decided_ms)}; this partition is on its list"
    closed = "the newest snapshot says that nothing of this producer is open: the broker saw the marker"
    return Explanation(
        headline=f"the log cleaner removed the ABORT marker of {who} before its data",
        label="ABORT marker cleaned away",
        confidence=sure,
        steps=(
            Step(f"{who} ({writer}) wrote {offsets(e.first_offset, e.last_offset)}; its marker is gone", e.first_ref),
            *step_if(e.decision, told, e.decision_ref),
            Step(_gap(e), e.gap_ref),
            *step_if(e.snapshot_ref, closed, e.snapshot_ref),
            *step_if(e.witness, f"{e.witness} still has the marker after the same data", e.witness_ref),
        ),
        cause=cleaned("ABORT"),
        refuted_by="the marker in a copy of this segment that was cleaned up to the same offset",
        otherwise=None if sure == "certain" else "a marker that never came, where the cleaner removed something else",
        settled_by=None if sure == "certain" else _missing(e),
        certainty=_certainty(e) if e.broker_open else (),
        readers=Readers("wrong_data", e.records) if e.decision or not e.broker_open else None,
        action=_action(e, who),
    )


def _certainty(e: Cleaned) -> tuple[Sure, ...]:
    why = _confidence(e), "the cleaner left a gap after the data, where its marker was", e.gap_ref
    hangs = _confidence(e), "a broker that loads this log finds it open: no marker follows the data", e.first_ref
    if e.disputed:
        apart = "replicas disagree whether it is open, and nothing here says which of them leads"
        hangs = "possible", apart, e.first_ref
    return certainty(hangs, why, by_decision(e.decision, e.decision_ref, e.topic))


def _confidence(e: Cleaned) -> Confidence:
    if e.snapshot_ref is not None or e.witness is not None:
        return "certain"
    return "likely" if e.decision is not None and (e.gap_certain or e.gap_kind == "emptied") else "possible"


def _missing(e: Cleaned) -> str:
    wanted = [] if e.decision is not None else [STATE_TOPIC]
    wanted += [] if e.gap_certain else ["cleaner-offset-checkpoint of this log dir"]
    return ", ".join([*wanted, "the newest .snapshot of this partition", "an older copy of this segment"])


def _gap(e: Cleaned) -> str:
    if e.gap_offset is None:
        return "the cleaner removed something after this data"
    if e.gap_kind == "emptied":
        return f"the cleaner emptied a control batch of this producer at offset {e.gap_offset}"
    return f"the cleaner removed something from offset {e.gap_offset} on; the log continues after the gap"


def _now(e: Cleaned) -> str:
    """Return whether it hangs now, by the replicas that are here."""
    if e.disputed:
        return f"It hangs if broker {e.open_on} leads, which has it open. kafka-topics.sh --describe names the leader."
    if e.open_on:
        return f"The leader has nothing open, so nothing hangs yet. It hangs once broker {e.open_on} leads."
    return "The leader has nothing open, so nothing hangs yet."


def _action(e: Cleaned, who: str) -> Action:
    seen = "Readers may have got these records as if they were committed."
    if e.broker_open and e.decision is not None:
        told = "The coordinator decided ABORT: the command writes the marker that the cleaner removed, and"
        told = f"{told} {actions.NOTHING_LOST}. Upgrade the brokers, or it happens again. {seen}"
        hangs = _confidence(e) != "possible" and not e.disputed
        return actions.abort(e, told, "CompleteAbort", hangs=hangs, decided="ABORT")
    if e.broker_open:
        told = f"FETCH FILES FIRST: __transaction_state. If it says that {who} was aborted, an abort is safe."
        return Action(kind="fetch", word="fetch files first", summary=told)
    told = f"Nothing hangs: the next marker of its producer, at offset {e.marker_offset}, ended these records too."
    if e.marker_offset is None:
        told = (
            f"{_now(e)} A broker that loads this log again (after a reassignment or an unclean restart) will stop at "
            f"offset {e.first_offset}: abort it then. Do not move {e.place} before the brokers are fixed."
        )
    return Action(kind="none", word="upgrade brokers", summary=f"UPGRADE THE BROKERS FIRST. {told} {seen}")


DETECTOR = Detector(
    "TXN007",
    "critical",
    Way(("unmarked", "unlisted_aborts"), Cleaned, find, explain, beside=("opens",), needs=("batches",)),
    verdict=True,
    example=worked_example,
    others=(ON_ONE_REPLICA,),
)
