"""An unfinished transaction's state is in a partition where no broker looks for it any more.

How it looks
  __transaction_state-0  order-writer-7  producer 2000 epoch 5  Ongoing
    hash % 50 = 0, hash % 150 = 50; its records have leader epoch 0
  __transaction_state-0/leader-epoch-checkpoint: last entry has epoch 2
  orders-3  87..88  data  producer 2000  <- open, and nothing will end it

Why it happens
  The topic was expanded (RTE003), and the leader of this partition restarted
  afterwards: it reads the new count and looks for the id in hash % new. When
  an Ongoing transaction times out, the coordinator retries every 10 s and
  never succeeds. A Prepare* record here is loaded and its markers are sent
  again, but the Complete record is never written.

What waits
  read_committed readers of every data partition that the record names and that
  holds data of this producer id. The wait does not end by itself.

Is an abort safe
  First make sure that no broker is left on the old count. Then:
  Ongoing        ask the owner, then partition by partition. Nothing was
                 decided, and nothing can commit it any more. But a client that
                 commits from a checkpoint (a Flink KafkaSink) or in two phases
                 believes that these records are committed: save them first.
  PrepareAbort   yes: the command writes the marker that was decided.
  PrepareCommit  no: COMMIT is decided, and the command can only write ABORT.
                 A restart of the leader of this partition sends the COMMIT
                 markers again. Only if the data is still open then: rescue
                 the records, abort, produce them again.
  A producer that is started with this id, or forceTerminateTransaction, ends
  none of this: the id gets another producer id.

How sure
  certain   the leader is known, and a state partition that it leads has a
            record that only the new count explains
  likely    no such record: a leader that started before the expansion and
            has written nothing since looks the same
  possible  the checkpoint file, or the leader epoch of the records, is
            missing
  Never surer than the two counts (RTE003). If the copy of the state is too
  old to tell, the open data is undecided instead.

What it is not
  State that a broker on the old count still serves, shown by a record by the
  old count in the newest leader epoch: that one can still end by itself
  (in_flight). What a finished transaction left (misrouted_state, RTE001).

What would refute it
  A record by the old count in this partition in its newest leader epoch.

Versions
  All, 0.11 to 4.4. With verification (3.6 and newer) produce requests fail and
  leave Ongoing records for partitions without data: nothing to end there.

See also
  KAFKA-20029, KIP-1268; txn-forensics explain RTE003, TXN001, TXN006
  Rules: B 7.
"""

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors.model import Detector, Explanation, Step, Way
from analyzer.detectors.routing.orphans import Orphan, action, confidence, how_sure
from analyzer.detectors.routing.words import cause, holder, other_record
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import offsets, producer


def find(orphans: DataFrame, moments: DataFrame) -> DataFrame:
    """Return the misplaced states in Ongoing or Prepare* that no broker on the old count serves (RULES B 7).

    In a copy that ends before the newest leader epoch begins, what is unfinished may have ended since. Where the state
    files end before the data, only a leader that is shown to work by the new count has not ended it.
    """
    judged = orphans.where("NOT coalesce(cut, false)").join(moments.select("capture", "state_horizon_ms"), "capture")
    return evidence_of(
        Orphan,
        judged.where("state_horizon_ms IS NULL OR leader_by_new"),
        transactional_id="id",
        **{name: f"last_record.{name}" for name in ("producer_id", "producer_epoch", "state")},
        state_ms="last_record.timestamp",
        state_ref="last_record.ref",
        named=F.concat_ws(", ", "last_record.partitions"),
        old_count="placed_by",
        last_epoch="newest_epoch",
        **{f"open_{name}": f"open_first.{name}" for name in ("topic", "partition", "ref")},
        open_first="open_first.first_offset",
        open_last="open_first.last_offset",
        **other_record(),
    )


def explain(e: Orphan) -> Explanation:
    """Put the finding into words."""
    held = holder(e.state, e.producer_id, e.producer_epoch, e.state_ms)
    otherwise, settled_by = _doubt(e)
    return Explanation(
        headline=f"{e.state} of {e.transactional_id} ({producer(e.producer_id, e.producer_epoch)}) is in "
        f"{e.topic}-{e.partition}, where {'' if e.served is not None else 'perhaps '}no broker looks for it"
        + (f"; open: {e.open_data}" if e.open_data else ""),
        label="orphaned: no broker reads the state",
        columns=(("state", e.state), ("open", e.open_data or "-")),
        confidence=confidence(e),
        steps=(
            Step(f"{e.topic}-{e.partition} last says of {e.transactional_id}: {held}, partitions {e.named or 'none'}",
                 e.state_ref),
            Step(f"hash % {e.old_count} places it there; hash % {e.new_count} gives {e.belongs}"),
            _leader(e),
            _data(e),
            _other(e),
        ),
        cause=(cause(e.topic),),
        refuted_by=f"a record in {e.topic}-{e.partition} by hash % {e.old_count} in its newest leader epoch",
        otherwise=otherwise,
        settled_by=settled_by,
        certainty=how_sure(e) if e.open_count else (),
        action=action(e),
    )  # fmt: skip


def _doubt(e: Orphan) -> tuple[str | None, str | None]:
    """Return what else it could be, and what would settle that."""
    where = f"{e.topic}-{e.partition}"
    if e.served is None:
        settles = f"leader-epoch-checkpoint of {where} from its leader, and a deep dump of that log"
        return "a broker that has not restarted since still serves it", settles
    if e.leader_by_new:
        return None, None
    settles = f"the leader of {where} (kafka-topics.sh --describe) and the time at which it was last started"
    return "a leader that started before the expansion and has written nothing here since", settles


def _leader(e: Orphan) -> Step:
    if e.served is None:
        return Step("the files do not show the newest leader epoch of this partition")
    also = ", and uses the new count in another partition" if e.leader_by_new else ""
    return Step(
        f"the last record by the old count has leader epoch {e.old_epoch}, the partition is at {e.last_epoch}: "
        f"its leader was elected since{also}",
        e.epoch_ref,
    )


def _data(e: Orphan) -> Step:
    if not e.open_count:
        return Step("no partition here has open data of this producer: nothing waits for it yet")
    first = offsets(e.open_first or 0, e.open_last)
    return Step(f"open data: {e.open_data}; of {e.open_topic}-{e.open_partition} {first}", e.open_ref)


def _other(e: Orphan) -> Step:
    if e.other_ms is None:
        return Step(f"in {e.topic}-{e.belongs}, where it belongs, it has no record")
    other = holder(e.other_state, e.other_producer_id, e.other_producer_epoch, e.other_ms)
    return Step(f"in {e.topic}-{e.belongs}, where it belongs, its newest record says {other}", e.other_ref)


DETECTOR = Detector(
    "RTE004", "critical", Way(("orphans",), Orphan, find, explain, beside=("moments",), needs=("coordinator_states",))
)
