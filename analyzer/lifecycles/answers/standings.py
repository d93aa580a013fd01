"""What pasted answers together say of one open transaction: `standing` of `answered` (RULES F 2 to F 4, F 7)."""

from pyspark.sql import Column, functions as F

from analyzer.kafka.clocks import COPYING_MS, LONGEST_AGO_MS
from analyzer.kafka.transaction_states import FOLLOWERS

_RESTING = "coalesce(state IN ('Empty', 'CompleteCommit', 'CompleteAbort', 'Dead'), false)"
_SILENT_STATE = f"state IS NOT NULL AND state NOT IN ({', '.join(map(repr, FOLLOWERS))})"
"""Its coordinator was asked, and nobody knows what its answer says: a newer state, or one whose text was cut off."""
IN_A_ROW_MS = 10_000
"""Questions to leader and coordinator, one right after the other, are not further apart."""
BELOW = "coalesce(open_ref.path = state_ref.path AND open_turn > state_turn, false)"
"""Whether what is open stands below its coordinator's answer in one file."""
_DECIDED = "coalesce(state IN ('PrepareCommit', 'PrepareAbort'), false)"
_OLDER = "coalesce(state_epoch > producer_epoch, false)"
_LISTED = "coalesce(listed, true)"
"""Whether the coordinator's transaction has this partition, as far as its answer lists them."""


def standing() -> Column:
    """Return the first of these that the row allows: what its coordinator runs or ends comes before what hangs."""
    done = F.expr(f"({_OLDER} OR {_RESTING})")
    silent = F.expr(f"silent_by IS NOT NULL AND NOT ({_OLDER} OR {_RESTING})")
    asked = F.expr("coalesce(asked_hanging, false)") & ~_told_since() & ~silent
    elsewhere = F.expr(f"coalesce(state = 'Ongoing' OR {_DECIDED}, false) AND NOT {_LISTED}")
    named_ms = F.col("hanging_at") - _written_ms()
    once = F.expr("NOT coalesce(state_between, false)")
    under_way = F.expr(f"({_DECIDED} OR coalesce(state = 'Ongoing', false) AND NOT {_OLDER}) AND {_LISTED}")
    return (
        F.when(F.expr("coalesce(unshown, false)") & ~under_way, "unshown")
        .when(asked & F.coalesce(F.greatest(named_ms, _untouched_ms()) < IN_A_ROW_MS, F.lit(False)), "recent")
        .when(asked, "hanging")
        .when(under_way & F.expr("coalesce(terminated, false)"), "terminated")
        .when(F.expr(f"{_DECIDED} AND {_LISTED}"), "prepared")
        .when(done & once & F.expr("coalesce(ran_before, false)"), "older")
        .when((done | elsewhere) & once & raced(IN_A_ROW_MS), "recent")
        .when(F.expr(f"state = 'Ongoing' AND {_OLDER}"), "moved")
        .when(F.expr("state = 'Ongoing' AND listed IS NULL AND timeout_ms IS NULL") & _aged(), "untimed")
        .when(F.expr(f"state = 'Ongoing' AND {_LISTED}"), "running")
        .when(elsewhere, "unlisted")
        .when(F.expr(_RESTING), "resting")
        .when(silent, "silent")
        .when(F.expr(f"{_SILENT_STATE} AND NOT {_OLDER}"), "unknown")
        .when(_aged(), "aged")
        .when(F.expr("coalesce(stuck, false)"), "stuck")
        .otherwise("unknown")
    )


def denied() -> Column:
    """Whether its coordinator answered that it does not run or end this transaction in this partition.

    One that began after find-hanging named what is open is another one: this one is over.
    """
    another = f"coalesce(started_ms > hanging_at + {COPYING_MS}, false)"
    return F.expr(f"coalesce({_OLDER} OR {_RESTING} OR {another} OR state IS NOT NULL AND NOT {_LISTED}, false)")


def asked_between() -> Column:
    """Whether a coordinator was asked while the partition showed the transaction open, before and after."""
    hanging = F.expr("coalesce(hanging_from < seen_to, false)")
    named = F.expr("coalesce(state_at BETWEEN seen_from AND seen_to, false)")
    return F.when(F.expr("coalesce(asked_hanging, false)"), hanging).otherwise(named)


def asked_ms() -> Column:
    """Return when that was answered which `standing` rests on, epoch ms; if no row tells, the newest moment.

    The leader's answer counts for what its coordinator ran before, if all of it was written by then.
    """
    later = F.expr("CASE WHEN last_ms <= state_at THEN leader_at END")
    of_state = F.when(F.col("state_at").isNotNull(), F.greatest("state_at", later))
    named = F.when(F.expr("coalesce(asked_hanging, false)") & ~_told_since(), F.col("hanging_at"))
    return F.coalesce(named, of_state, "answered_at")


def _told_since() -> Column:
    """Whether the coordinator answered after find-hanging that it runs or ends this transaction, here.

    One that began only after find-hanging named what is open is another one: its marker will end both.
    """
    below = "coalesce(hanging_ref.path = state_ref.path AND state_turn > hanging_turn, false)"
    later = f"(coalesce(state_at >= hanging_at, false) OR {below})"
    same = f"coalesce(state = 'Ongoing' AND state_epoch = producer_epoch OR {_DECIDED}, false)"
    before = f"coalesce(started_ms <= hanging_at + {COPYING_MS}, false)"
    return F.expr(f"{later} AND {same} AND {before} AND coalesce(listed, false)")


def _written_ms() -> Column:
    return F.greatest("last_ms", "ended_ms")


def _untouched_ms() -> Column:
    """For how long nothing was written to it when its coordinator was asked, or for how long it was seen open."""
    return F.greatest(F.coalesce("state_at", "answered_at") - _written_ms(), "seen_ms")


def raced(within_ms: int = COPYING_MS) -> Column:
    """Whether it may have ended, or begun, between the answers of leader and coordinator: its last batch is so new.

    Not if the leader was asked after the id had gone on to a higher epoch, nor if it was written to while its
    coordinator ran a transaction without this partition: a list of partitions only grows.
    """
    young = _untouched_ms() < within_ms
    since = f"{_OLDER} AND ({BELOW} OR coalesce(seen_to > state_at, false))"
    beside = "coalesce(state = 'Ongoing', false) AND coalesce(last_ms BETWEEN started_ms AND state_at, false)"
    return F.coalesce(young, F.lit(False)) & ~F.expr(f"({since})") & ~F.expr(f"({beside})")


def _aged() -> Column:
    """Whether it is older than any timeout; what bears a time from ten years ago does not tell its age (RULES A 15)."""
    age = F.col("answered_at") - _written_ms()
    open_for = F.greatest(F.when(age < LONGEST_AGO_MS, age), "seen_ms")
    return F.coalesce(open_for > F.col("max_timeout_ms") + COPYING_MS, F.lit(False))
