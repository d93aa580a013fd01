"""Whether an open transaction that no record tells of is older than any timeout, and by whose clocks (RULES D 4)."""

from analyzer.kafka.clocks import COPYING_MS
from analyzer.lifecycles.judging.open_transaction import OpenTransaction
from analyzer.lifecycles.judging.questions import unknown_id
from analyzer.lifecycles.judging.unknown import at_most, before, least, minus, plus
from analyzer.tables.catalog import TOLD_MOMENTS


def aged(t: OpenTransaction) -> tuple[str, int | None] | None:
    """Return whose clocks show it, and for how long it is open at least by those, ms; None if nothing shows it.

    Where the capture's moment is told, nothing is older than a time that a broker set before it in the log. In the
    order of their worth: `brokers`, a time that a broker set after it; `producers`, two others at later offsets;
    `pace`, its own, where as many offsets after it take longer than any timeout at ten times the pace of those here;
    `own`, its producer's alone.
    """
    if t.transactional_id is not None or unknown_id(t) or not _here(t):
        return None
    limit = plus(t.max_timeout_ms, COPYING_MS)
    now_ms = least(t.captured_at, t.copied_ms)
    by_broker, by_own = minus(now_ms, t.open_since_ms), minus(now_ms, t.last_by_ms)
    if t.captured_at_source in TOLD_MOMENTS and at_most(minus(now_ms, t.earlier_ms), limit):
        return None
    if before(limit, by_broker):
        return "brokers", by_broker
    if before(limit, t.others_ms):
        return "producers", t.others_ms
    if before(limit, by_own) and t.open_since_ms is None:
        return ("pace" if before(limit, t.paced_ms) else "own"), by_own
    return None


def _here(t: OpenTransaction) -> bool:
    """Return whether it is open in a log that is here, also where only its newest snapshot still shows it (RULES D 5).

    Where the data is proven to be gone, that is another finding (RULES A 9).
    """
    judged = bool(t.authority) and t.disputed is False and t.unread_offset is None and not t.contradicted
    return judged and (t.has_data or (bool(t.has_log) and t.gone is None))
