"""How an open transaction stands: what its questions say together, and why the files leave it open where they do."""

from analyzer.lifecycles.judging import questions
from analyzer.lifecycles.judging.open_transaction import Decided, OpenTransaction
from analyzer.lifecycles.judging.reaching import outlived, proven_at_rest, state_reaches

ORPHANED = "orphan_state"
OF_MARKERS = {"COMMIT": "marker_missing_commit", "ABORT": "marker_missing_abort"}
UNDERWAY = frozenset({"running", "completing"})
"""What a healthy transaction is that has ended since its log was copied."""
IN_DOUBT = frozenset({"idle_write"})
"""What the producer's own timestamps alone say; the groups that wait for it are told to look first."""


def kind_of(t: OpenTransaction) -> str | None:
    """Return what the coordinator's records make of it, None where they do not tell (RULES A 10).

    The finding's name where it hangs; `idle_write` is a hanging_late_write by its own timestamps. Otherwise
    `completing` or `running`. What a later answer shows to be over does not hang (RULES F 8).
    """
    kind = _kind_here(t)
    return kind if not t.over or kind in UNDERWAY else None


def _kind_here(t: OpenTransaction) -> str | None:
    """Return that by the files alone."""
    if questions.of_several_ids(t) or not questions.decidable(t) or questions.commit_cut_off(t):
        return None
    if questions.epoch_cut_off(t):
        return "hanging_unexplained" if proven_at_rest(t) else None
    lost = questions.decision_without_marker(t)
    if lost is not None:
        return "completing" if questions.completing(t, lost) else OF_MARKERS[lost.decision or "ABORT"]
    if questions.running(t):
        return "hanging_undecided" if questions.overdue(t) else "running"
    if questions.late_write(t):
        return "hanging_late_write"
    fenced = outlived(t) is not None and t.rest is not None
    if questions.never_registered(t) and not fenced:
        return "hanging_never_registered"
    if proven_at_rest(t):
        return "idle_write" if questions.made_while_idle(t) and not fenced else "hanging_unexplained"
    return None


def pending_on(t: OpenTransaction, kind: str | None) -> str:
    """Return what offsets that were committed in it wait for: a finding's name, in_flight, completing or undecided."""
    if kind in {"running", "hanging_undecided"} and t.orphan is not None:
        if t.orphan.proven and t.state_horizon_ms is None:
            return ORPHANED
        return "hanging_undecided" if kind == "hanging_undecided" else "undecided"
    if kind == "running":
        return "undecided" if questions.ended_meanwhile(t) else "in_flight"
    return "undecided" if kind is None or kind in IN_DOUBT else kind


def standing_of(t: OpenTransaction, kind: str | None) -> str:
    """Return in a word how it stands, for one that no finding claims; `undecided` in detectors says it in words."""
    if t.over and kind not in UNDERWAY:
        return "over"
    if t.disputed and t.has_data:
        return "disputed"
    if t.has_log and not t.has_data and kind in UNDERWAY:
        return str(kind)
    if t.unread_offset is not None and kind not in UNDERWAY:
        return "unread"
    if t.contradicted:
        return "contradicted"
    return "gone" if t.has_log and not t.has_data else _known_standing(t, kind)


def _known_standing(t: OpenTransaction, kind: str | None) -> str:
    """Return how one stands whose data is here, or of which only a producer snapshot is."""
    if t.transactional_id is None:
        return "no_record"
    if questions.of_several_ids(t):
        return "shared"
    if not questions.decidable(t):
        return "unknown_epoch" if _above(t) else "older_state"
    if questions.commit_cut_off(t) or questions.epoch_cut_off(t):
        return "cut_off" if questions.commit_cut_off(t) else "lost_epoch"
    lost = questions.decision_without_marker(t)
    if lost is not None:
        return _without_marker(t, kind, lost)
    if questions.running(t):
        return _not_running(t) if questions.ended_meanwhile(t) else "running"
    if not t.has_log:
        return "no_log"
    return _at_rest(t)


def _at_rest(t: OpenTransaction) -> str:
    """Return why one of an id that seems to be done with it need not hang."""
    if not state_reaches(t):
        return "undated" if t.first_by_ms is None else "older_state"
    if not t.state_newest_here:
        return "cut_state"
    return "unclear" if t.rest is None else "resting"


def _not_running(t: OpenTransaction) -> str:
    """Return why one whose newest record says Ongoing need not run any more."""
    return "committed" if questions.committed_since(t) else "older_state"


def _above(t: OpenTransaction) -> bool:
    """Return whether its epoch is above everything that the coordinator gave."""
    return t.newest_epoch is not None and t.highest_epoch is not None and t.newest_epoch > t.highest_epoch


def _without_marker(t: OpenTransaction, kind: str | None, lost: Decided) -> str:
    if not t.has_log:
        return "no_log"
    if kind == "completing":
        return "older_copy" if (lost.state or "").startswith("Complete") else "completing"
    return _at_rest(t)
