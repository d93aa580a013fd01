"""The tables of __consumer_offsets: commits, positions, conflicts of producers, and the groups that wait."""

from analyzer.lifecycles.declaring import GROUP, LOG_COLUMNS, PRODUCER_COLUMNS, derived, fact, ref_column, rows, struct
from analyzer.lifecycles.placing import LOG, PRODUCER
from analyzer.tables import Column
from analyzer.tables.catalog import CAPTURE
from analyzer.tables.results import PARTITION, REPLICA, TOPIC

POSITION_KEY = ("capture", "offsets_partition", "replica", "group", "topic", "partition")
POSITION_COLUMNS = (
    CAPTURE,
    Column("offsets_partition", "int", "partition of __consumer_offsets"),
    REPLICA, GROUP, TOPIC, PARTITION,
)  # fmt: skip
"""What a commit is about: a group's position in a partition, in one copy of a log of __consumer_offsets."""

COMMITS = derived(
    "group_commits",
    (*POSITION_KEY, "offset"),
    "One offset commit in a judged log of __consumer_offsets: who committed, how and when it was decided.",
    *POSITION_COLUMNS,
    *fact("offset_commits", "offset", "timestamp", "committed_offset", "tombstone", "is_transactional"),
    Column("producer_id", "bigint", "producer id, null unless transactional"),
    Column("producer_epoch", "int", "producer epoch, null unless transactional"),
    ref_column("ref", "the record"),
    Column("marker_offset", "bigint", "offset of the marker that ends the commit's transaction, null for none"),
    Column("marker_epoch", "int", "producer epoch of that marker"),
    Column("decision", "string", "COMMIT or ABORT, null where open or not printed"),
    Column("decided_at", "bigint", "offset from which the commit counts, null while undecided"),
    Column("told", "int", "how many offsets up to here the dump explains"),
)

POSITIONS = derived(
    "group_positions",
    ("capture", "group", "topic", "partition"),
    "The committed position of a group in a partition.",
    CAPTURE, GROUP, TOPIC, PARTITION,
    Column("position", "bigint", "committed offset"),
    ref_column("position_ref", "the commit, or the line of pasted kafka-consumer-groups.sh output"),
)  # fmt: skip

TURN_TYPE = struct(
    "offset:bigint", "identity:string", "ref:ref", "committed_offset:bigint", "decided_at:bigint",
    "before_offset:bigint", "before_identity:string", "before_ref:ref", "before_committed_offset:bigint",
    "before_decided_at:bigint", "rebalanced:boolean",
)  # fmt: skip
"""A commit, and the commit of another producer before it."""

CONFLICTS = derived(
    "group_conflicts", POSITION_KEY,
    "One position that two producers commit in turns.",
    *POSITION_COLUMNS,
    Column("overlaps", "bigint", "commits appended while one of another identity, which was not gone, was undecided"),
    Column("interleaves", "bigint", "those of surely two producers"),
    Column("switches", "bigint", "commits decided right after one of another identity"),
    Column("unexplained", "bigint", "switches without a rebalance between the two commits"),
    Column("returns", "bigint", "unexplained switches back to an identity that had committed before"),
    Column("stale_epochs", "bigint", "commits of a lower epoch than an earlier one and their marker have"),
    Column("went_back", "bigint", "commits that set the position back"),
    Column("commits", "bigint", "transactional commits of the position"),
    Column("identities", "array<string>", "who commits: transactional ids, otherwise producer ids"),
    Column("overlap", TURN_TYPE, "the first overlap"),
    Column("switch", TURN_TYPE, "the first unexplained switch"),
    Column("stale", TURN_TYPE, "the first commit of a stale epoch"),
    Column("styles", rows("identity:string", "input_partitions:bigint"),
           "partitions that each producer of the group commits for: one each is the client style before KIP-447"),
)  # fmt: skip

PENDING = derived(
    "pending_commits",
    (*PRODUCER, "group"),
    "The undecided commits of one producer id for one group in a log of __consumer_offsets.",
    *PRODUCER_COLUMNS,
    GROUP,
    Column(
        "first_commits",
        rows("offset:bigint", "topic:string", "partition:int", "committed_offset:bigint", "ref:ref"),
        "the first of them",
    ),
    Column("positions", "bigint", "how many there are"),
    Column("since_ms", "bigint", "time of the oldest, epoch ms"),
    ref_column("last_ref", "the last of them"),
)

SETTLED = derived(
    "settled_waits",
    POSITION_KEY,
    "A position that a client calls pending, although its log has every commit of it decided long before.",
    *POSITION_COLUMNS,
    Column("waits", "bigint", "lines of clients that say so"),
    Column("waited_ms", "bigint", "the last of them, epoch ms"),
    ref_column("wait_ref", "that line"),
    Column("producer_id", "bigint", "producer id of the last transactional commit"),
    Column("marker_offset", "bigint", "offset of its marker"),
    Column("marker_ms", "bigint", "timestamp of that marker, epoch ms"),
    Column("decision", "string", "COMMIT or ABORT, null where not printed"),
    Column("committed_offset", "bigint", "the position that it sets"),
    ref_column("commit_ref", "the commit"),
    Column("newest_ms", "bigint", "newest timestamp of the log, epoch ms"),
    Column("zone_ms", "bigint", "how far from UTC the line, without a zone, may be: then a commit was pending, ms"),
    Column("log_reaches", "boolean", "the log has something that was written after the client's line"),
)

PENDING_POSITIONS = derived(
    "pending_positions",
    (*PRODUCER, "group", "committed_topic", "committed_partition"),
    "One position that an undecided commit would set, and the group's committed one.",
    *PRODUCER_COLUMNS,
    GROUP,
    Column("committed_topic", "string", "topic of the position"),
    Column("committed_partition", "int", "partition of the position"),
    Column("pending_position", "bigint", "what the newest undecided commit would set"),
    Column("committed_position", "bigint", "committed offset, null where none is known"),
)

IMPACT = derived(
    "group_impact",
    (*LOG, "group"),
    "One group that an open transaction holds up in a judged log or, where none is here, by its leader's answer.",
    *LOG_COLUMNS,
    Column("lso", "bigint", "last stable offset, by an answer the first offset that is open"),
    GROUP,
    Column("position", "bigint", "committed position of the group, null where its own commit is undecided"),
    Column("pending", "boolean", "the group waits for a commit of its own"),
    *fact("observations", "line"),
    Column("path", "string", "file that says so, relative to the PATH given on the command line"),
    Column("byte_position", "bigint", "where in a raw file it stands, null for a line of a text"),
    Column("turn", "int", "number of the group among those of the log, the one with the most lag first"),
    Column("groups", "bigint", "how many groups of the log wait"),
)

TABLES = (COMMITS, POSITIONS, CONFLICTS, PENDING, SETTLED, PENDING_POSITIONS, IMPACT)
