"""The questions that verdicts on open transactions ask, as conditions on a row of `opens` (RULES A 5, 6, 10).

They exclude one another by their order: `lost` before `running` before `ended` before the rest, each only for rows
that `decidable` lets through. What no detector claims stays undecided.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.clocks import COPYING_MS, SKEW_MS

PRODUCER = ("capture", "topic", "partition", "replica", "producer_id")


def subject() -> list[Column]:
    """Return the columns that every finding about an open transaction begins with, and its first and last line.

    Where no data of it is here they are what a producer snapshot says.
    """
    return [
        *[F.col(name) for name in ("capture", "topic", "partition", "replica", "transactional_id", "producer_id")],
        F.coalesce("producer_epoch", "snapshot_epoch").alias("producer_epoch"),
        F.col("first_offset"),
        F.coalesce("last_offset", "snapshot_last_offset", "first_offset").alias("last_offset"),
        F.col("records"),
        F.col("captured_at"),
        F.coalesce("first_batch.batch_ref", "snapshot_ref").alias("first_ref"),
        F.coalesce("last_batch.batch_ref", "snapshot_ref").alias("last_ref"),
    ]


def judged(opens: DataFrame) -> DataFrame:
    """Return the open transactions that the verdicts are about: of the authority replica, with the log after them."""
    whole = opens.where("authority AND NOT disputed AND unread_offset IS NULL")
    return whole.where(has_data())


def judged_or_snapshot(opens: DataFrame) -> DataFrame:
    """Return those, and the open transactions of partitions of which only producer snapshots are here (RULES D 5)."""
    return judged(opens).unionByName(opens.where("authority AND NOT has_log"))


def has_data() -> Column:
    """Return whether the log that is here has data of the transaction, down to its last batch."""
    return F.coalesce(F.col("last_offset") >= F.col("log_start_offset"), F.lit(False))


def remembered(opens: DataFrame) -> DataFrame:
    """Return the open transactions that only a producer snapshot of the authority replica still knows (RULES A 9).

    Those whose data is proven to be gone from the log.
    """
    gone = opens.where("authority AND has_log AND gone IS NOT NULL AND unread_offset IS NULL")
    return gone.where(~has_data())


def written_ms() -> Column:
    """Return the timestamp of the data's first batch, or of the producer's last where only a snapshot knows it."""
    return F.coalesce("first_batch.max_timestamp", "snapshot_ms")


def decidable() -> Column:
    """Return whether the coordinator's records speak of this producer id and reach as far as this data.

    An epoch above everything that the coordinator gave, or state files that end before the data, leave it undecided.
    """
    known = F.col("transactional_id").isNotNull() & (
        F.coalesce("highest_data_epoch", "snapshot_epoch") <= F.col("highest_epoch")
    )
    reached = F.col("state_horizon_ms").isNull() | (written_ms() <= F.col("state_horizon_ms"))
    return known & reached


def state_reaches() -> Column:
    """Return whether the coordinator's files are not merely older than this data: a new transaction may be missing."""
    beyond = written_ms() > F.col("newest_state_ms")
    recent = F.col("captured_at") - written_ms() < COPYING_MS
    return ~F.coalesce(beyond & recent, F.lit(False))


def lost() -> Column:
    """Return whether the coordinator decided a transaction that names this partition, and its marker is not here."""
    epoch = F.coalesce("producer_epoch", "snapshot_epoch")
    return decidable() & F.coalesce(epoch <= F.col("lost.decision_epoch"), F.lit(False))


def completing() -> Column:
    """Return whether the markers of that decision may still be on their way, or after the end of these files.

    A new leader epoch above the data says that the marker was cut off, unless that epoch began before the coordinator
    was done: then the marker may have been written in it, after this copy was made.
    """
    prepared = F.col("lost.state").startswith("Prepare")
    young = prepared & (F.col("captured_at") - F.col("lost.decided_ms") < F.col("marker_bound_ms"))
    finished_ms = F.coalesce("lost.completed_ms", "lost.decided_ms")
    slow = finished_ms - F.col("lost.decided_ms") > F.col("marker_bound_ms")
    began_before = F.coalesce(F.col("newer_epoch_ms") <= finished_ms, F.lit(False))
    no_new_epoch = (F.col("log_epoch") <= F.col("last_leader_epoch")) | slow | began_before
    underway = F.when(F.col("horizon_ms") < F.col("captured_at"), F.col("marker_bound_ms")).otherwise(0)
    older_files = (F.col("lost.decided_ms") + underway > F.col("horizon_ms")) | F.col("tail_missing")
    recent = F.col("captured_at") - finished_ms < COPYING_MS
    written_ms = F.coalesce("lost.completed_ms", F.col("lost.decided_ms") + F.col("marker_bound_ms")) + F.col(
        "shift_ms"
    )
    ends_before = F.coalesce(F.col("reaches_ms") <= written_ms, F.lit(True))
    only_here = F.coalesce(F.col("lost.undelivered") == 1, F.lit(False))
    unproven = F.when(prepared, ~only_here & ~reaches(F.col("lost.decided_ms"))).otherwise(
        ~reaches(F.col("lost.completed_ms"))
    )
    return lost() & (young | (no_new_epoch & (older_files | unproven | (recent & ends_before))))


def completed() -> Column:
    """Return whether the coordinator counts every marker of that decision as written."""
    return F.coalesce(F.col("lost.state").startswith("Complete"), F.lit(False))


def marker_missing(decision: str) -> Column:
    """Return whether the marker of a COMMIT or ABORT is missing, beyond what delivery or old files explain."""
    return lost() & ~completing() & (F.col("lost.decision") == decision)


def running() -> Column:
    """Return whether the id's newest record says Ongoing and has this partition in the transaction."""
    return decidable() & ~lost() & F.col("running").isNotNull() & F.col("rest").isNull()


def overdue() -> Column:
    """Return whether the running transaction was over its timeout when the coordinator's files were copied.

    One without a timeout never is (KIP-939).
    """
    return F.coalesce(F.coalesce("state_horizon_ms", "captured_at") > F.col("running.deadline_ms"), F.lit(False))


def ended_meanwhile() -> Column:
    """Return whether the running transaction is over its timeout only since the coordinator's files were copied."""
    return running() & ~overdue() & (F.col("captured_at") > F.col("running.deadline_ms"))


def late_write() -> Column:
    """Return whether the data came after the marker of its own transaction, before the id's next one began.

    A marker of a higher epoch fences what is late (KIP-890 part 2, timeouts): data of that epoch is a next transaction.
    """
    begin_epoch = F.coalesce("ended.begin_epoch", "ended.decision_epoch")
    own_epoch = F.coalesce(F.col("producer_epoch") <= begin_epoch, F.lit(True))
    last = F.col("ended.is_last") & F.col("state_newest_here")
    before_next = F.col("appended_by_ms") + F.col("spread_ms") < F.col("ended.next_begun_ms")
    behind_marker = F.coalesce(last | before_next, F.lit(False))
    proven = ~F.coalesce(F.col("ended.recovered"), F.lit(False)) | proven_at_rest()
    return decidable() & state_reaches() & ~lost() & ~running() & own_epoch & behind_marker & proven


def idle_write() -> Column:
    """Return whether the data was made after a marker and before the id's next transaction began (RULES D 2 c).

    Where nothing else tells why it hangs, as its own timestamps have it: a late write of what that marker ended.
    """
    after = F.coalesce(F.col("last_batch.max_timestamp") < F.col("idle_until_ms"), F.lit(False))
    return proven_at_rest() & ~lost() & ~running() & ~late_write() & ~never_registered() & after


def never_registered() -> Column:
    """Return whether no list of the transaction that this data can belong to names the partition."""
    rest = decidable() & state_reaches() & F.col("state_newest_here") & ~lost() & ~running() & ~late_write()
    later_lacks_it = (
        F.col("ended").isNotNull() & F.col("latest_txn.list_known") & F.col("named_by_latest").eqNullSafe(F.lit(False))
    )
    nowhere = F.col("last_named_txn").isNull() & F.col("all_lists_known")
    return rest & F.coalesce(later_lacks_it | nowhere, F.lit(False))


def reaches(moment: Column) -> Column:
    """Return whether this copy of the partition is shown to be from this moment or later (RULES D 1).

    By a time that a broker set in it, or in another data partition of the replica: that one may have been copied later.
    """
    copied = F.when(F.col("has_log"), F.col("replica_reach_ms") - COPYING_MS)
    return F.coalesce(F.greatest("reach_ms", copied) >= moment, F.lit(False))


def at_rest() -> Column:
    """Return whether the coordinator has done with the id of this data, as far as its files tell (RULES D 1)."""
    return decidable() & F.col("rest").isNotNull()


def proven_at_rest() -> Column:
    """Return whether the copies of both the partition and the id's state reach far enough to prove it (RULES D 1).

    Data from before the record that put the id to rest: the partition must reach that record, or it may only be too
    short to hold the marker. Data from after it: the state files must reach beyond the data.
    """
    own_ms = F.coalesce("last_batch.max_timestamp", "snapshot_ms")
    by_ms = F.least("appended_by_ms", F.col("later_marker_ms") + SKEW_MS)
    earlier = F.coalesce((F.col("appended_by_ms") <= F.col("rest.ms")), F.lit(False)) | F.coalesce(
        own_ms <= F.col("rest.decided_ms"), F.lit(False)
    )
    return at_rest() & F.when(earlier, reaches(F.col("rest.ms"))).otherwise(_state_beyond(F.coalesce(by_ms, own_ms)))


def _state_beyond(data_ms: Column) -> Column:
    """Return whether the id's state partition was copied after the data came: a later record in it, or the data's age.

    The age counts where the copy is sound and nothing shows that the state files are old. Where the capture's moment
    is that of its newest timestamp, the newest state record stands for it.
    """
    later = F.coalesce(F.col("state_newest_ms") >= data_ms + SKEW_MS, F.lit(False)) & F.col("state_newest_here")
    given = F.col("captured_at_source").isin("flag", "capture.toml")
    copied_ms = F.when(given, F.col("captured_at")).otherwise(F.col("newest_state_ms"))
    aged = F.coalesce(copied_ms - data_ms >= COPYING_MS, F.lit(False))
    return later | (aged & F.coalesce("state_sound", F.lit(False)) & F.col("state_horizon_ms").isNull())


def unexplained() -> Column:
    """Return whether the transaction hangs for certain and no other finding says why (RULES D 3)."""
    return proven_at_rest() & ~lost() & ~running() & ~late_write() & ~never_registered() & ~idle_write()


def open_since_ms() -> Column:
    """Return since when at least the data is there, by a time that a broker set at a later offset; null for none."""
    return F.least("appended_by_ms", "later_marker_ms")


def coordinator_told() -> Column:
    """Return whether the coordinator's records say whether a transaction of this producer id runs: known, and new."""
    known = F.col("transactional_id").isNotNull() & F.col("state_horizon_ms").isNull()
    return known | F.coalesce(unknown_id(), F.lit(False))


def unknown_id() -> Column:
    """Return whether every state partition is here, whole, and none knows the producer id: expired or compacted."""
    return (
        F.col("transactional_id").isNull()
        & (F.size("missing_states") == 0)
        & F.coalesce("states_sound", F.lit(False))
        & F.col("state_horizon_ms").isNull()
        & state_reaches()
        & (F.col("state_count") > 0)
        & F.col("newest_state_ms").isNotNull()
    )
