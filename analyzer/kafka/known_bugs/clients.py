"""Known bugs of clients, and of brokers that take what a client sends too late: whose releases count is in each."""

from analyzer.kafka.known_bugs.bug import KnownBug

LATE_REQUEST = KnownBug(
    "KAFKA-12671",
    mechanism="A Produce request that is delayed on its way is appended after the marker of its own transaction, and "
    "opens one that no coordinator knows.",
    fixed=(),
    findings=("TXN002", "TXN011"),
    speaks="data of the producer and epoch that a marker has just ended",
    against="leaders verify (3.6 and newer, transaction.partition.verification.enable=true), or the epoch is new",
    remedy="keep transaction.partition.verification.enable=true; with transaction.version 2 and clients of 4.0, such "
    "data cannot join the next transaction either (KIP-890)",
    by_release=False,
    prevention="",
    cure="stopped by transaction.partition.verification.enable (3.6 and newer)",
)
WRONG_TOPIC = KnownBug(
    "KAFKA-19012",
    mechanism="The Java producer uses a pooled buffer again before its request is sent, so the batch goes to another "
    "topic.",
    fixed=((3, 9, 2), (4, 0, 2), (4, 1, 2), (4, 2, 0)),
    findings=("TXN003", "PID003"),
    speaks="a sequence gap of the same producer in the topic that the batch was meant for, at the same time",
    against="the producer is not the Java one, or is older than 2.8.0",
    remedy="upgrade the producers; before an abort, compare the batch with the topic that it was meant for",
    prevention="upgrade the Java producers to 3.9.2, 4.0.2, 4.1.2 or 4.2",
    since=(2, 8, 0),
    software="Java producer",
)
OVERTAKEN = KnownBug(
    "KAFKA-14053",
    mechanism="The Java producer times a batch out while its request is under way, and its EndTxn overtakes the batch.",
    fixed=(),
    findings=("TXN002",),
    speaks="data after the marker of its own transaction, and a time-out of the batch in the client's log",
    against="the producer's log has no batch that timed out",
    remedy="a delivery.timeout.ms well above request.timeout.ms; transaction.version 2 with clients of 4.0",
    software="Java producer",
)
STREAMS_THREAD_DIES = KnownBug(
    "KAFKA-19690",
    mechanism="A thread of Kafka Streams dies when the coordinator has aborted its transaction, instead of taking its "
    "tasks up again.",
    fixed=((3, 9, 2), (4, 0, 1), (4, 1, 1), (4, 2, 0)),
    findings=("TXN001", "TXN002"),
    speaks="an ABORT with a raised epoch, and then nothing more of the id",
    against="the id runs further transactions",
    remedy="upgrade the application; a StreamsUncaughtExceptionHandler that replaces the thread",
    software="Kafka Streams",
    by_release=False,
)
STREAMS_THREAD_DIES_AGAIN = KnownBug(
    "KAFKA-20785",
    mechanism="Another way in which a thread of Kafka Streams dies after the coordinator aborted its transaction.",
    fixed=(),
    findings=("TXN001", "TXN002"),
    speaks="an ABORT with a raised epoch, and then nothing more of the id",
    against="the id runs further transactions",
    remedy="a StreamsUncaughtExceptionHandler that replaces the thread",
    software="Kafka Streams",
    by_release=False,
    ranges_read=False,
)
FLINK_POOL = KnownBug(
    "FLINK-40626",
    mechanism="With pooled transactional ids, the connector may leave a pre-committed transaction that no job owns any "
    "more.",
    fixed=(),
    findings=("TXN001",),
    speaks="an overdue Ongoing id of a Flink job whose other ids go on",
    against="the job is down: restarting it from its checkpoint commits the transaction",
    remedy="before an abort, ask the job's owner whether a checkpoint still names the transaction",
    prevention="",
    software="Flink connector",
    by_release=False,
    step="ask the owner first: a checkpoint may name the transaction",
    ranges_read=False,
)

ALL = (LATE_REQUEST, WRONG_TOPIC, OVERTAKEN, STREAMS_THREAD_DIES, STREAMS_THREAD_DIES_AGAIN, FLINK_POOL)
