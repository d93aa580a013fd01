"""The fact tables of what people paste: answers of admin tools, and lines of logs."""

from analyzer.tables.fact_columns import PRODUCER_EPOCH, PRODUCER_ID, fact_table
from analyzer.tables.model import Column

ANSWERS = fact_table(
    "answers",
    "One row that a broker or a coordinator answered to a tool that asked about transactions, as somebody pasted it.",
    Column("asked", "string", "find_hanging, describe_producers, describe_transaction, list_transactions, unstick_lso"),
    Column("topic", "string", "topic of the open transaction, null where no word of the paste tells it"),
    Column("partition", "int", "its partition"),
    Column("transactional_id", "string", "transactional id, null where the tool does not print it"),
    PRODUCER_ID,
    PRODUCER_EPOCH,
    Column("coordinator_epoch", "int", "coordinator epoch of the producer's last marker, -1 for none"),
    Column("coordinator", "int", "broker that coordinates the id"),
    Column("state", "string", "state of the id by its coordinator"),
    Column("timeout_ms", "bigint", "transaction timeout, ms"),
    Column("started_ms", "bigint", "when the transaction began, epoch ms, null while none runs"),
    Column("last_ms", "bigint", "timestamp of the producer's last batch or marker, epoch ms"),
    Column("first_offset", "bigint", "first offset of the open transaction, null if none is open"),
    Column("partitions", "array<string>", "topic-partition names in the transaction, sorted; null if not printed"),
    Column("answered_ms", "bigint", "when the broker answered, as far as the row tells it, epoch ms"),
    Column("quoted", "int", "by how many marks of quoting, or mails, it is older than the first row; null for none"),
    Column("broker", "int", "the replica that --broker-id asked, null where the leader was asked"),
    Column("text", "string", "the row, as printed"),
)

LOG_LINES = fact_table(
    "log_lines",
    "One line of a broker's or client's log, or of metrics, that says something about a transaction or a partition.",
    Column("says", "string", "what it says: the name of its pattern, see docs/log-lines.md"),
    Column("source", "string", "broker, client, metric, or tool: an answer that somebody pasted"),
    Column("logged_ms", "bigint", "when it was written, epoch ms, UTC where the line tells no zone; null for unknown"),
    Column("topic", "string", "topic that it names"),
    Column("partition", "int", "partition that it names"),
    Column("transactional_id", "string", "transactional id that it names"),
    PRODUCER_ID,
    PRODUCER_EPOCH,
    Column("offset", "bigint", "offset that it names, or a count before a change"),
    Column("number", "bigint", "another number: a state partition, a duration in ms, a high watermark, a count"),
    Column("text", "string", "the line, at most 500 characters"),
)
