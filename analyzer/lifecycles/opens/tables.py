"""The table of open transactions, with everything that is asked about them."""

from analyzer.lifecycles.coordinator.record_refs import REFS
from analyzer.lifecycles.coordinator.tables import PRODUCERS
from analyzer.lifecycles.declaring import derived, picked, ref_column, struct
from analyzer.lifecycles.judging.judgement import COLUMN, JUDGEMENT
from analyzer.lifecycles.logs.tables import BROKER_OPENS, LOGS
from analyzer.lifecycles.matching.tables import APPENDED_BY, MOMENTS
from analyzer.lifecycles.pairing.tables import HISTORY_WHOLE
from analyzer.lifecycles.placing import PRODUCER
from analyzer.tables import Column

_DECIDED = struct(
    "transactional_id:string", "state_partition:int", "coordinator_txn:bigint", "decision:string", "decided_ms:bigint",
    "completed_ms:bigint", "state:string", "begun_ms:bigint", "next_begun_ms:bigint", "is_last:boolean",
    "begin_epoch:int", "decision_epoch:int", "rank:int", "recovered:boolean", "undelivered:int",
)  # fmt: skip
_RUNNING = struct(
    "begun_ms:bigint", "timeout_ms:bigint", "deadline_ms:bigint", "registered_ms:bigint", "registered_at:bigint",
    "registered_whole:boolean", "state_partition:int", "transactional_id:string", "coordinator_txn:bigint",
    "committed_ms:bigint", "begin_epoch:int",
)  # fmt: skip
_LATEST = struct(
    "coordinator_txn:bigint", "state:string", "decision:string", "list_known:boolean", "transactional_id:string",
    "state_partition:int", "timeout_ms:bigint", "deadline_ms:bigint", "begun_ms:bigint",
)  # fmt: skip
TOLD = ("ended", "lost", "running", "latest_txn")
"""The columns of `opens` that tell of a transaction of the coordinator."""
_REFS = struct(*[f"{moment}:ref" for moment in REFS])
_ORPHAN = struct(
    "id:string", "state_partition:int", "belongs:int", "state:string", "proven:boolean", "first_offset:bigint"
)
_REST = struct(
    "kind:string", "ms:bigint", "decided_ms:bigint", "state:string", "producer_id:bigint", "producer_epoch:int",
    "offset:bigint", "state_partition:int", "ref:ref", "now:string", "retired:boolean",
)  # fmt: skip
OPENS = derived(
    "opens", PRODUCER,
    "One transaction that is open in the broker view, with everything that the verdicts ask about it.",
    *BROKER_OPENS.columns,
    Column("ended_no", "bigint", "txn_no of what the marker before ended, or the first of repeated markers"),
    Column("marker_ms", "bigint", "timestamp of the marker that ended that one, epoch ms"),
    Column("ended_epoch", "int", "highest producer epoch of the data that it ended, null for none here"),
    ref_column("marker_ref", "that marker"),
    Column("ended", _DECIDED, "the decision that this marker carried out"),
    Column("lost", _DECIDED, "the first decision after the last matched marker that has no marker here"),
    Column("lost_count", "bigint", "how many such decisions there are"),
    Column("lost_unled_ms", "bigint", "since when nobody led the partition, if from it to its completion, epoch ms"),
    ref_column("lost_unled_ref", "the record of the controllers that says so"),
    Column("running", _RUNNING, "the producer id's newest transaction, if Ongoing and with this partition"),
    *[Column(f"{name}_refs", _REFS, "where the records of that transaction stand") for name in TOLD],
    Column("last_named_txn", "bigint", "the last transaction of the producer id that names this partition"),
    Column("all_lists_known", "boolean", "the lists of all transactions of the producer id are known"),
    HISTORY_WHOLE,
    Column("coordinator_txns", "bigint", "transactions of the producer id that the coordinator's records show"),
    Column("latest_txn", _LATEST, "the newest of them"),
    Column("named_by_latest", "boolean", "its list names this partition"),
    *picked(PRODUCERS, "transactional_id", "highest_epoch", "newest", "ids"),
    APPENDED_BY,
    Column("orphan", _ORPHAN, "the state of its id, where no broker looks for it"),
    Column("horizon_ms", "bigint", "up to when the files of this log reach, epoch ms"),
    *picked(LOGS, "copied_ms"),
    Column("tail_missing", "boolean", "the high watermark, a snapshot or the name of a file lies beyond the log's end"),
    *MOMENTS.columns[1:],
    Column("rest", _REST, "the record that put the id to rest, null while the id's newest may be this transaction's"),
    Column("cut_commit_ms", "bigint", "newest COMMIT of its producer id that only a cut-off copy has, epoch ms"),
    Column("overruled_epoch", "int",
           "highest epoch that records of its producer id give it which only a cut-off copy has"),
    Column("stopped_states", "array<int>", "state partitions whose copies end with the same stop of its broker"),
    Column("commit_ms", "bigint", "newest COMMIT marker of its producer id that no known decision explains, epoch ms"),
    Column("given_ms", "bigint", "when the id got the epoch of the data, by its Empty record, epoch ms"),
    Column("state_sound", "boolean", "nothing says that a record is missing from that state partition's copy"),
    Column("state_newest_here", "boolean", "no byte of that state partition is missing, and no end"),
    Column("state_newest_ms", "bigint", "newest record of that copy, epoch ms"),
    Column("states_sound", "boolean", "the same of the copies of all state partitions"),
    Column("reach_ms", "bigint", "newest moment that this log is shown to reach, epoch ms"),
    Column("replica_reach_ms", "bigint", "the same of any data partition of its replica copied with it, epoch ms"),
    Column("margin_ms", "bigint", "how far the clocks of its leader and its coordinator may be apart, ms"),
    Column("newer_epoch_ms", "bigint", "oldest timestamp above the data in a newer leader epoch, epoch ms"),
    Column("same_epoch_ms", "bigint", "newest timestamp above the data in its own leader epoch, epoch ms"),
    Column("later_marker_ms", "bigint", "oldest timestamp of a marker at a later offset, epoch ms"),
    Column("earlier_ms", "bigint", "newest time that a broker set up to its first offset, epoch ms"),
    Column("emptied_offset", "bigint", "a marker of the producer id that the cleaner emptied, above the first offset"),
    Column("idle_until_ms", "bigint", "begin of the id's last transaction, if it had none from the marker before on"),
    Column("pin_offset", "bigint", "the first offset, or the base offset of the next batch where it is gone"),
    Column("held_offset", "bigint", "base offset of the batch at the log's start, if that is where its LSO is"),
    Column("own_offset", "bigint", "the first batch of its producer id from its first offset on, also what has ended"),
    Column("gone", "string", "why the first offset cannot be in the log: below start, not in segment; null: unproven"),
    Column("cleaned_before", "boolean", "the cleaner took offsets before it, and may have taken a marker of its own"),
    Column("disputed", "boolean", "replicas that cannot be ranked do not all have it open"),
    Column("unread_offset", "bigint", "first offset after it that is not here and may hold its marker"),
    Column("over", "boolean", "it has ended since this copy was made, by an answer or by another copy; null for no"),
    Column("ahead_on", "string", "broker whose copy goes on beyond this one, and has its marker there; null for none"),
    Column("stamp_lag_ms", "bigint", "how long after its timestamps data of its producer id came at most, ms"),
    Column("lag_is_own", "boolean", "its own transactions tell that, not others of its log; null where nothing tells"),
    Column("others_ms", "bigint", "how long it is open at least, by clocks of other producers; null where told, ms"),
    Column("paced_ms", "bigint", "how long the offsets after it took at least, by the pace of those here, ms"),
    Column(COLUMN, JUDGEMENT, "what all of this says together: how it stands, and what hangs"),
)  # fmt: skip

TABLES = (OPENS,)
