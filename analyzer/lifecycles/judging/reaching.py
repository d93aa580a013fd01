"""How far the files reach beside an open transaction, and what they prove that way (RULES D 1)."""

from analyzer.kafka.clocks import COPYING_MS, SKEW_MS
from analyzer.lifecycles.judging.open_transaction import OpenTransaction
from analyzer.lifecycles.judging.unknown import at_most, before, first_known, greatest, least, minus, plus
from analyzer.tables.catalog import TOLD_MOMENTS


def state_reaches(t: OpenTransaction) -> bool:
    """Return whether the coordinator's files are not merely older than this data: a new transaction may be missing.

    Those of its id's state partition, or of all where none knows its producer id. Data made before the decision that
    the marker before it carries out is no newer transaction's. Where the id went on with another producer id or a
    higher epoch, no newer transaction has those of the data, however new it is (RULES D 1 f).
    """
    if _retired(t):
        return True
    if _of_one_moment(t) or (t.ended is not None and at_most(t.first_by_ms, t.ended.decided_ms)):
        return True
    by_ms = least(t.appended_by_ms, plus(t.later_marker_ms, SKEW_MS))
    data_ms = first_known(by_ms, None if t.first_by_ms is None else greatest(t.first_by_ms, t.earlier_ms))
    return _aged(t, data_ms) if t.transactional_id is None else _state_beyond(t, data_ms)


def reaches(t: OpenTransaction, moment_ms: int | None) -> bool:
    """Return whether this copy of the partition is shown to be from this moment or later (RULES D 1).

    By a time that a broker set in it, or in another data partition of the replica: that one may have been copied later.
    The moment is by the clock of the id's coordinator, and that of the leader may be ahead of it.
    """
    copied = minus(t.replica_reach_ms, COPYING_MS) if t.has_log else None
    return at_most(plus(moment_ms, t.margin_ms or 0), greatest(t.reach_ms, copied))


def proven_at_rest(t: OpenTransaction) -> bool:
    """Return whether the coordinator has done with the id, by copies that reach far enough to prove it (RULES D 1).

    Data from before the record that put the id to rest: the partition must reach that record, or it may only be too
    short to hold the marker. Data from after it: the state files must reach beyond the data, unless its epoch is gone.
    Both, where only its producer's clock says which, and nothing how slow that is, or the data may have come between
    the decision and the marker.
    """
    if t.rest is None:
        return False
    if outlived(t) is not None or (_retired(t) and reaches(t, t.rest.ms)):
        return True
    by_ms = least(t.appended_by_ms, plus(t.later_marker_ms, SKEW_MS))
    if at_most(by_ms, t.rest.ms) or (t.lag_is_own and at_most(t.last_by_ms, t.rest.decided_ms)):
        return reaches(t, t.rest.ms)
    marked_ms = plus(t.rest.ms, SKEW_MS) if before(t.rest.decided_ms, t.rest.ms) else t.rest.ms
    if at_most(t.newest_ms, marked_ms) and not reaches(t, t.rest.ms):
        return False
    return _state_beyond(t, first_known(by_ms, t.last_by_ms))


def outlived(t: OpenTransaction) -> str | None:
    """Return what shows that the id had a higher epoch before this data came, so that nothing of its own runs any more.

    `log`: the marker before it, or what that ended, has one. `clock`: by a broker's time before it in the log it is
    newer than every record of its producer id.
    """
    ended = None if t.ended is None else t.ended.decision_epoch
    if before(t.newest_epoch, greatest(t.ended_epoch, ended)):
        return "log"
    known_ms = None if t.newest is None else plus(t.newest.timestamp, t.margin_ms)
    raised = before(t.newest_epoch, t.highest_epoch) and before(known_ms, t.earlier_ms)
    return "clock" if raised else None


def _retired(t: OpenTransaction) -> bool:
    """Return whether the id went on with another producer id or epoch, and nothing is missing of what it did before."""
    return t.rest is not None and bool(t.rest.retired and t.state_newest_here)


def _state_beyond(t: OpenTransaction, data_ms: int | None) -> bool:
    """Return whether the id's state partition was copied after the data came: a later record in it, or the data's age.

    The age counts where the copy is sound and nothing shows that the state files are old. Where the capture's moment
    is that of its newest timestamp, the newest state record stands for it.
    """
    if at_most(plus(data_ms, SKEW_MS), t.state_newest_ms) and t.state_newest_here:
        return True
    return bool((_aged(t, data_ms) or _of_one_moment(t)) and t.state_sound)


def _of_one_moment(t: OpenTransaction) -> bool:
    """Return whether its broker was stopped, and what would tell of its transaction was written by that stop, too."""
    states = t.stopped_states or []
    if t.transactional_id is None:
        return t.state_count is not None and 0 < t.state_count <= len(states)
    return t.newest is not None and t.newest.state_partition in states


def _aged(t: OpenTransaction, data_ms: int | None) -> bool:
    """Return whether the data is older than files of one capture are apart, and no state file shows to be old."""
    copied_ms = t.captured_at if t.captured_at_source in TOLD_MOMENTS else t.newest_state_ms
    return at_most(COPYING_MS, minus(copied_ms, data_ms)) and t.records_end_ms is None
