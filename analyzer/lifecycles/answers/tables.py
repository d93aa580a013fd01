"""The tables of pasted answers and logs: rows in their place, and what answers together say of a transaction."""

from analyzer.lifecycles.declaring import LOG_OF_FILE, PRODUCER_COLUMNS, derived, fact, placed_fact, ref_column
from analyzer.tables import Column
from analyzer.tables.results import PRODUCER_EPOCH, TRANSACTIONAL_ID

PLACED_ANSWERS = placed_fact("placed_answers", "answers", *LOG_OF_FILE)
PLACED_LOG_LINES = placed_fact("placed_log_lines", "log_lines", *LOG_OF_FILE)
ANSWERED = derived(
    "answered",
    ("capture", "topic", "partition", "producer_id", "transactional_id"),
    "One transaction that pasted answers show, in one partition; no partition where only its id's state is told.",
    *PRODUCER_COLUMNS, PRODUCER_EPOCH, TRANSACTIONAL_ID,
    *fact("answers", "coordinator", "coordinator_epoch", "state", "timeout_ms", "started_ms", "last_ms",
          "first_offset"),
    Column(
        "standing", "string",
        "hanging, running, unlisted, prepared, resting, moved, older, recent, aged, silent, stuck, unshown, "
        "terminated or unknown",
    ),
    Column("raced", "boolean", "written to less than a minute before its coordinator's answer that nothing runs"),
    Column("answered_at", "bigint", "when this was answered, else the newest moment of all, epoch ms; null for none"),
    Column("state_at", "bigint", "when its coordinator answered, as far as its row tells, epoch ms"),
    Column("max_timeout_ms", "bigint", "transaction.max.timeout.ms: what a client may ask for at most, ms"),
    Column("in_files", "boolean", "a log shows it open, too, and no record of __transaction_state tells of it"),
    Column("seen_ms", "bigint", "between the first and the last answer that shows it open from this offset, ms"),
    Column("state_between", "boolean", "a coordinator was asked between these two"),
    Column("prepared_ms", "bigint", "between the first and the last answer that it is decided, ms; null for one"),
    ref_column("open_ref", "the row that shows it open in the partition"),
    ref_column("first_ref", "the first row that shows it so; null where only one moment does"),
    ref_column("state_ref", "the row that shows its id's state"),
    Column("follower", "int", "the broker that --broker-id asked where another one leads; null for the leader's word"),
    Column("silent_by", "string", "file and line by which not every coordinator answered; null where nothing says so"),
    Column("led_by", "string", "file and line by which every coordinator was there for find-hanging; null for none"),
    Column("open_by", "string", "file and line by which brokers hide no id from who asks; null where nothing says so"),
    Column("denied", "boolean", "its coordinator answered that it does not run or end this transaction here"),
    Column("unled_by", "string", "file and line by which the partition has no leader; null where nothing says so"),
    Column("place_by", "string", "file and line of the answer that names the partition of a table without one"),
)  # fmt: skip

TABLES = (PLACED_ANSWERS, PLACED_LOG_LINES, ANSWERED)
