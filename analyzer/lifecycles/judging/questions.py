"""The questions that the verdict on an open transaction asks, each a function of its row (RULES A 5, 6, 10).

A file that is silent answers no: what is unknown proves nothing. What no question claims stays undecided.
"""

from analyzer.kafka.clocks import COPYING_MS, SKEW_MS
from analyzer.lifecycles.judging.open_transaction import Decided, OpenTransaction
from analyzer.lifecycles.judging.reaching import proven_at_rest, reaches, state_reaches
from analyzer.lifecycles.judging.unknown import at_most, before, first_known, greatest, minus, plus


def decidable(t: OpenTransaction) -> bool:
    """Return whether the coordinator's records speak of this producer id and reach as far as this data.

    An epoch above everything that the coordinator gave, or state files that end before the data, leave it undecided.
    """
    known = t.transactional_id is not None and at_most(t.newest_epoch, greatest(t.highest_epoch, t.overruled_epoch))
    return known and (t.records_end_ms is None or at_most(t.first_by_ms, t.records_end_ms))


def of_several_ids(t: OpenTransaction) -> bool:
    """Return whether the producer id has several transactional ids: whose the data is, no file tells (RULES C 15)."""
    return t.ids is not None and t.ids > 1


def decision_without_marker(t: OpenTransaction) -> Decided | None:
    """Return what the coordinator decided of a transaction that names this partition, if its marker is not here.

    Data that was appended after that is not of that transaction: its marker may have been here, and cleaned since.
    Where the log has no data of it left, what is open may be the id's next transaction, once this one is complete: the
    marker went with the data (RULES A 6, A 9).
    """
    if t.lost is None or not at_most(t.epoch, t.lost.decision_epoch):
        return None
    if t.has_log and not t.has_data and t.lost.completed_ms is not None:
        return None
    later = before(plus(first_known(t.lost.completed_ms, t.lost.decided_ms), t.margin_ms), t.earlier_ms)
    return None if later else t.lost


def commit_cut_off(t: OpenTransaction) -> bool:
    """Return whether a COMMIT that may be this data's stands only in records that a newer leader epoch cut off.

    The client may have its answer, whatever the new coordinator made of the transaction (RULES A 3).
    """
    lost = decision_without_marker(t)
    told = t.cut_commit_ms is not None and (lost is None or lost.decision != "COMMIT")
    return told and not before(plus(t.cut_commit_ms, SKEW_MS), t.written_ms)


def epoch_cut_off(t: OpenTransaction) -> bool:
    """Return whether only records that a newer leader epoch cut off give this data's epoch (RULES C 1).

    The coordinator has forgotten it: no list and no decision that is left can be this transaction's.
    """
    return before(t.highest_epoch, t.newest_epoch) and at_most(t.newest_epoch, t.overruled_epoch)


def completing(t: OpenTransaction, lost: Decided) -> bool:
    """Return whether the markers of that decision may still be on their way, or after the end of these files.

    A new leader epoch above the data says that the marker was cut off, unless that epoch began before the coordinator
    was done: then the marker may have been written in it, after this copy was made. Where the end of this copy is
    missing and it has nothing of that epoch, the marker may be in what is missing, before the epoch or in it. Where
    nobody led the partition until the coordinator was done, no marker was written, and none will be.
    """
    if t.lost_unled_ms is not None:
        return False
    prepared = (lost.state or "").startswith("Prepare")
    finished_ms = first_known(lost.completed_ms, lost.decided_ms)
    if prepared and before(minus(t.captured_at, lost.decided_ms), plus(t.marker_bound_ms, t.spread_ms)):
        return True
    slow = before(t.marker_bound_ms, minus(finished_ms, lost.decided_ms))
    reached = t.newer_epoch_ms is not None or not t.tail_missing
    newer_epoch = reached and before(t.last_leader_epoch, t.log_epoch)  # dumps before 2.2 print none
    no_new_epoch = not newer_epoch or slow or at_most(t.newer_epoch_ms, finished_ms)
    return no_new_epoch and (
        _older_files(t, lost)
        or _unproven(t, lost, prepared=prepared)
        or (before(minus(t.captured_at, finished_ms), COPYING_MS) and _ends_before(t, lost))
    )


def _older_files(t: OpenTransaction, lost: Decided) -> bool:
    underway = t.marker_bound_ms if before(t.horizon_ms, t.captured_at) else 0
    return before(t.horizon_ms, plus(lost.decided_ms, underway)) or bool(t.tail_missing)


def _unproven(t: OpenTransaction, lost: Decided, *, prepared: bool) -> bool:
    """Return whether this copy may be from before the marker came."""
    if prepared:
        return lost.undelivered != 1 and not reaches(t, lost.decided_ms)
    return not reaches(t, lost.completed_ms)


def _ends_before(t: OpenTransaction, lost: Decided) -> bool:
    marked_ms = plus(first_known(lost.completed_ms, plus(lost.decided_ms, t.marker_bound_ms)), t.shift_ms)
    return t.reaches_ms is None or marked_ms is None or t.reaches_ms <= marked_ms


def running(t: OpenTransaction) -> bool:
    """Return whether the id's newest record says Ongoing and has this partition in the transaction."""
    return t.running is not None and t.rest is None


def overdue(t: OpenTransaction) -> bool:
    """Return whether the running transaction was over its timeout when the coordinator's files were copied.

    One without a timeout never is (KIP-939). One that a COMMIT marker in another partition shows to be decided is not
    either: the records that say Ongoing are older than that, or what came after them was lost.
    """
    if committed_since(t):
        return False
    return t.running is not None and before(t.running.deadline_ms, first_known(t.state_horizon_ms, t.captured_at))


def committed_since(t: OpenTransaction) -> bool:
    """Return whether another partition has a COMMIT marker of the running transaction."""
    return t.running is not None and t.running.committed_ms is not None


def ended_meanwhile(t: OpenTransaction) -> bool:
    """Return whether the running transaction is over its timeout only since the coordinator's files were copied."""
    return not overdue(t) and t.running is not None and before(t.running.deadline_ms, t.captured_at)


def late_write(t: OpenTransaction) -> bool:
    """Return whether the data came after the marker of its own transaction, before the id's next one began.

    A marker of a higher epoch fences what is late (KIP-890 part 2, timeouts): data of that epoch is a next transaction.
    """
    if t.ended is None or not state_reaches(t):
        return False
    begin_epoch = first_known(t.ended.begin_epoch, t.ended.decision_epoch)
    next_epoch = before(begin_epoch, t.producer_epoch) or _raised(t, t.ended)
    last = t.ended.is_last and t.state_newest_here
    before_next = before(plus(t.appended_by_ms, t.spread_ms), t.ended.next_begun_ms)
    return not next_epoch and bool(last or before_next) and (not t.ended.recovered or proven_at_rest(t))


def _raised(t: OpenTransaction, ended: Decided) -> bool:
    """Return whether the marker before may have raised the epoch to that of this data (RULES A 10 c).

    As the data that it ended shows, where no record tells the transaction's own epoch: its begin is not here, and what
    is here tells neither txnStartTimestamp nor the client's transaction version, as the text of tools before 4.1.
    """
    untold = not before(ended.begun_ms, ended.decided_ms)
    return untold and before(t.ended_epoch, ended.decision_epoch) and at_most(ended.decision_epoch, t.producer_epoch)


def made_while_idle(t: OpenTransaction) -> bool:
    """Return whether the data was made after a marker and before the id's next transaction began (RULES D 2 c).

    Where nothing else tells why it hangs, as its own timestamps have it: a late write of what that marker ended.
    """
    return t.last_batch is not None and before(t.last_by_ms, t.idle_until_ms)


def never_registered(t: OpenTransaction) -> bool:
    """Return whether no list of the transaction that this data can belong to names the partition.

    One between the last marker here and the id's last transaction may have: its end is missing then. So may one that
    compaction took: its marker is missing only from a copy that reaches the begin of the one that is known.
    """
    if not (state_reaches(t) and t.state_newest_here):
        return False
    listed = t.latest_txn is not None and t.latest_txn.list_known
    named_since = t.ended is not None and before(t.ended.coordinator_txn, t.last_named_txn)
    later_lacks_it = t.ended is not None and listed and t.named_by_latest is False and not named_since
    return bool(later_lacks_it or (t.last_named_txn is None and t.all_lists_known and _of_known(t)))


def _of_known(t: OpenTransaction) -> bool:
    """Return whether the data can be of no transaction whose records are gone: it came since the newest one began."""
    begun_ms = None if t.latest_txn is None else t.latest_txn.begun_ms
    return bool(t.history_whole) or reaches(t, begun_ms) or at_most(begun_ms, t.written_ms)


def unknown_id(t: OpenTransaction) -> bool:
    """Return whether every state partition is here, whole, and none knows the producer id: expired or compacted."""
    every = t.missing_states is not None and not t.missing_states and before(0, t.state_count)
    here = every and t.states_sound and t.state_horizon_ms is None and t.newest_state_ms is not None
    return t.transactional_id is None and bool(here) and state_reaches(t)


def coordinator_told(t: OpenTransaction) -> bool:
    """Return whether the coordinator's records say whether a transaction of this producer id runs: known, and new."""
    return (t.transactional_id is not None and t.records_end_ms is None) or unknown_id(t)
