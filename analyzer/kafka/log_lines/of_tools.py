"""What Kafka's admin tools print in the place of an answer.

Source: `TransactionsCommand` of 3.0 to 4.3, which 2.8 has not; `ConsumerGroupCommand`, `TopicCommand`, `AclCommand`.
"""

from analyzer.kafka.log_lines.pattern import EVERY, ID, KRAFT, PLACE, Pattern

NOT_ANSWERED = "nothing on transactions: this question was not answered; the rest of the line says why. Ask again"
DESCRIBED = rf"Failed to describe transaction state of transactional-id `{ID}`: "

NO_SUCH_ID = (
    "its coordinator knows no such id: it expired, or another cluster was asked; no coordinator ends what it left open"
)

OF_TOOLS: tuple[Pattern, ...] = (
    Pattern(
        "no_such_id", "tool", KRAFT,
        rf"{DESCRIBED}.{{0,200}}?(?:(?:transactionalId|the ID) could not be found|IdNotFoundException)",
        NO_SUCH_ID,
    ),
    Pattern(
        "no_such_id", "tool", KRAFT,
        r"\bkafka\.common\.errors\.TransactionalIdNotFoundException(?::|\s*$)"
        r"|\bTRANSACTIONAL_ID_NOT_FOUND: ", NO_SUCH_ID,
    ),
    Pattern(
        "no_such_group", "tool", EVERY,
        r"Error: (?:Consumer group '[^']{1,300}' does not exist\b"
        r"|Executing consumer group command failed due to .{0,80}\.GroupIdNotFoundException: )",
        "nothing on transactions: the group has neither members nor positions; it expired, was never used, or another "
        "cluster was asked",
    ),
    Pattern("not_answered", "tool", EVERY, DESCRIBED, NOT_ANSWERED),
    Pattern(
        "not_answered", "tool", EVERY,
        rf"(?:Failed to describe producers for partition|Skip getting offsets for topic-partition) {PLACE}"
        r"(?= on |:| due to error: )", NOT_ANSWERED,
    ),
    Pattern(
        "not_answered", "tool", EVERY,
        r"Failed to (?:list (?:transactions|topics)\b|describe \d+ (?:topics|transactions): "
        r"|describe producers for \d+ partitions on broker \d+: )"
        r"|JMX connector server communication error: |ExportException: Port already in use: \d"
        r"|Error: Executing consumer group command failed\b|Error while executing (?:topic|config) command\b",
        NOT_ANSWERED,
    ),
    Pattern(
        "no_authorizer", "tool", EVERY, r"\bSecurityDisabledException: No Authorizer is configured\b",
        "brokers of this cluster hide nothing from who asks: no answer leaves out ids for lack of rights",
    ),
    Pattern(
        "abort_failed", "tool", KRAFT,
        r"Failed to (?:abort transaction .{0,60}?topicPartition=|validate producer state for partition )"
        rf"{PLACE}\b|Failed to force terminate transactionalId `{ID}`: ",
        "this abort was refused or not answered: whether it wrote a marker, only the partition's leader tells",
    ),
)  # fmt: skip
