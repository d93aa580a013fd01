"""The coordinator's history: the transactions of each id, with their decisions and partitions (RULES A 3)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.timeouts import NO_TIMEOUT_MS
from analyzer.kafka.transaction_states import LAST_EPOCH
from analyzer.lifecycles.coordinator.tables import COORDINATOR_TXNS
from analyzer.lifecycles.placing import named_partition

ID = ("capture", "state_partition", "transactional_id")
TXN = (*ID, "coordinator_txn")
TXN_OF_ID = TXN[1:]
"""What names a transaction of the coordinator within a capture."""
LIVE = "state IN ('Ongoing', 'PrepareCommit', 'PrepareAbort', 'CompleteCommit', 'CompleteAbort')"
"""Which records belong to a transaction."""
NAMED = "state_partition IS NOT NULL AND transactional_id IS NOT NULL"
"""Which records can be told apart from those of others: console output need not say its partition."""


EPOCH_PER_TRANSACTION = 2
"""The transaction.version from which on Prepare raises the epoch: the data has the one before (KIP-890)."""


def rotation() -> Column:
    """Return whether a record gave the id another producer id; its epochs were used up (KIP-890, KIP-360)."""
    return (F.col("previous_producer_id") >= 0) & (F.col("previous_producer_id") != F.col("producer_id"))


PREVIOUS = ("state", "producer_id", "producer_epoch", "start_ms", "hole")
"""What a record knows of the id's record before it."""


def numbered_records(records: DataFrame) -> DataFrame:
    """Return rows of `coordinator_records`: each record with the number of the id's transaction that it belongs to.

    A transaction begins at Ongoing or Prepare* after whatever ends one: Complete*, Empty, Dead, a tombstone, the start
    of the log, a Prepare* whose Complete* is missing, another producer id or epoch, or at a record that tells another
    txnStartTimestamp, if one between may be missing; otherwise the coordinator took the record before back. So does
    what no copy has beside the id's record before, where offsets are missing between the two: one copy was made
    earlier, and compaction has taken from the other what came between. Segments that overlap, as while the cleaner
    swaps them, have a record twice; the first counts.
    """
    order = Window.partitionBy(*ID).orderBy("offset", "ref.byte_offset")
    at = F.lag("offset").over(order)
    before = F.struct(*[F.lag(name).over(order).alias(name) for name in PREVIOUS])
    again = F.coalesce(F.col("offset") == at, F.lit(False))
    shared = F.arrays_overlap("copies", F.lag("copies").over(order))
    rows = records.withColumns({"previous": F.when(at.isNotNull(), before), "again": again, "shared": shared})
    chained = rows.where("NOT again").drop("again")
    last_state = F.col("previous.state")
    other = (F.col("previous.producer_id") != F.col("producer_id")) | (
        F.col("previous.producer_epoch") != F.col("producer_epoch")
    )
    restarted = (F.col("state") == "Ongoing") & (last_state.startswith("Prepare") | other)
    ended = last_state.isNull() | ~last_state.isin("Ongoing", "PrepareCommit", "PrepareAbort")
    begun, before_ms = F.col("start_ms"), F.col("previous.start_ms")
    follows = F.col("previous.hole") == F.col("hole")
    own_begin = (begun >= 0) & (before_ms >= 0)
    apart = F.expr(LIVE) & own_begin & (begun != before_ms) & ~F.coalesce(follows, F.lit(False))
    joined = F.coalesce(F.col("shared") | follows, F.lit(True)) | F.coalesce(
        own_begin & (begun == before_ms), F.lit(False)
    )
    begins = ended | F.coalesce(restarted, F.lit(False)) | F.coalesce(apart, F.lit(False)) | (F.expr(LIVE) & ~joined)
    up_to = order.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    return chained.withColumns({
        "begins": begins,
        "timeout_ms": F.coalesce("timeout_ms", F.when(~other, F.lag("timeout_ms").over(order))),
        "coordinator_txn": F.sum(F.when(begins, 1).otherwise(0)).over(up_to),
        # everything between the id's record before (or the log's start) and this one is here
        "preceded": F.when(F.col("previous").isNull(), F.col("hole") == 0).otherwise(
            F.col("previous.hole") == F.col("hole")
        ),
    }).drop("copies", "shared")  # fmt: skip


def coordinator_txns(numbered: DataFrame) -> DataFrame:
    """Return rows of `coordinator_txns`, one per transaction of an id in a state partition.

    decided_ms is the Prepare record's timestamp. If that record was compacted away, it is the txnLastUpdateTimestamp of
    the Complete record, otherwise that record's own timestamp.
    """
    commits = F.coalesce("prepared_commits", "completed_commits")
    following = Window.partitionBy(*ID[:2], "producer_id").orderBy("latest_at")
    first_here = F.col("begun_at") == F.least("begun_at", "completed_at")
    return (
        _by_txn(numbered)
        .withColumn("producer_id", F.coalesce("begun_producer_id", "lowest_id"))
        .withColumns({
            "next_begun_ms": F.lead("begun_record_ms").over(following),
            "is_last": F.lead("coordinator_txn").over(following).isNull(),
            "list_known": F.col("prepared_at").isNotNull() | (F.col("state") == "Ongoing"),
            "whole": F.when(first_here, F.col("begun_preceded")).otherwise(F.col("completed_preceded")) == 1,
            "decision": F.when(commits == 1, "COMMIT").when(commits == 0, "ABORT"),
            "begun_ms": F.coalesce("start_ms", "begun_record_ms"),
            "deadline_ms": _deadline(),
            "decided_ms": F.coalesce("prepared_ms", _decided_before(), "completed_ms"),
        })
        .select(*COORDINATOR_TXNS.names)
    )  # fmt: skip


def _by_txn(numbered: DataFrame) -> DataFrame:
    """Return what the records of each transaction say: its first, the first Prepare, the Complete, and the last.

    A transaction has at most one Complete record, which ends it. It may have several Prepare records: a retried append
    writes one twice, or a record between them is missing. Booleans are 1 and 0: Sail aggregates these faster.
    """
    prepare = F.col("state").startswith("Prepare")
    complete = F.col("state").startswith("Complete")
    first = F.col("begins") & ~complete
    records = _with_own_epochs(numbered.where(LIVE).where(NAMED), prepare, complete).withColumns({
        "preceded": F.col("preceded").cast("int"), "commits": F.col("state").endswith("Commit").cast("int")
    })  # fmt: skip

    def of(which: Column, name: str) -> Column:
        return F.max(F.when(which, F.col(name)))

    def prepared(name: str) -> Column:
        return F.min_by(F.when(prepare, F.col(name)), F.when(prepare, F.col("offset")))

    return records.groupBy(*TXN).agg(
        F.min(F.when(~complete, F.col("offset"))).alias("begun_at"),
        of(first, "timestamp").alias("begun_record_ms"),
        of(first, "producer_id").alias("begun_producer_id"),
        of(first, "timeout_ms").alias("timeout_ms"),
        of(first, "preceded").alias("begun_preceded"),
        F.min(F.when(prepare, F.col("offset"))).alias("prepared_at"),
        prepared("timestamp").alias("prepared_ms"),
        prepared("commits").alias("prepared_commits"),
        of(complete, "offset").alias("completed_at"),
        of(complete, "timestamp").alias("completed_ms"),
        of(complete, "last_update_ms").alias("completed_told_ms"),
        of(complete, "commits").alias("completed_commits"),
        of(complete, "own_epoch").alias("completed_epoch"),
        of(complete, "data_epoch").alias("completed_data_epoch"),
        of(complete, "preceded").alias("completed_preceded"),
        F.max("offset").alias("latest_at"),
        F.max_by("timestamp", "offset").alias("latest_ms"),
        F.max_by("state", "offset").alias("state"),
        F.min("own_id").alias("lowest_id"),
        F.min(F.when(~complete, F.col("data_epoch"))).alias("begin_epoch"),
        F.max(F.when(~complete, F.col("producer_epoch"))).alias("decision_epoch"),
        F.max("producer_epoch").alias("highest_epoch"),
        F.max(F.when(F.col("start_ms") >= 0, F.col("start_ms"))).alias("start_ms"),
    )


def _with_own_epochs(records: DataFrame, prepare: Column, complete: Column) -> DataFrame:
    """Add own_id and own_epoch, the producer of the record's own transaction, and data_epoch, that of its data.

    A Complete record may already have the id and the epoch of the next one, and Prepare raises the epoch (KIP-890).
    """
    rotated = F.coalesce(complete & rotation(), F.lit(False))
    per_transaction = F.col("client_transaction_version") >= EPOCH_PER_TRANSACTION
    raised = F.coalesce(per_transaction & (prepare | complete), F.lit(False))
    own = {
        "own_id": F.when(rotated, F.col("previous_producer_id")).otherwise(F.col("producer_id")),
        "own_epoch": F.when(rotated, F.lit(LAST_EPOCH)).otherwise(F.col("producer_epoch")),
    }
    return records.withColumns(own).withColumn("data_epoch", F.col("own_epoch") - raised.cast("int"))


def without_timeout() -> Column:
    """Return whether no coordinator ever ends the transaction of a row with `timeout_ms` (KIP-939)."""
    return F.coalesce(F.col("timeout_ms") == NO_TIMEOUT_MS, F.lit(False))


def _deadline() -> Column:
    """Return when the coordinator may end a transaction, epoch ms: null without a timeout, or where it is unknown."""
    return F.when(~without_timeout(), F.coalesce("start_ms", "begun_record_ms") + F.col("timeout_ms"))


def _decided_before() -> Column:
    """Return when a transaction was decided whose Prepare record is gone: a Complete record still tells (RULES D 2)."""
    return F.when(F.col("completed_told_ms").between(1, F.col("completed_ms")), F.col("completed_told_ms"))


def registrations(numbered: DataFrame) -> DataFrame:
    """Return rows of `registrations`: the first record of each transaction whose list names a partition."""
    listed = (
        numbered.where("state = 'Ongoing' OR state LIKE 'Prepare%'")
        .where(NAMED)
        .select(*TXN, "offset", "timestamp", "preceded", F.explode("partitions").alias("name"))
    )
    whole = F.min_by(F.col("preceded").cast("int"), "offset") == 1
    return (
        listed.groupBy(*TXN, "name")
        .agg(
            F.min("offset").alias("registered_at"),
            F.min_by("timestamp", "offset").alias("registered_ms"),
            whole.alias("registered_whole"),
        )
        .select(*TXN, *named_partition("name"), "registered_at", "registered_ms", "registered_whole")
    )
