"""Known bugs of the transaction coordinator, of the producer ids that the controllers give, and of admin answers."""

from analyzer.kafka.known_bugs.bug import KnownBug

LAST_EPOCH_STOPS_TIMEOUTS = KnownBug(
    "KAFKA-20090",
    mechanism="An overdue id at producer epoch 32767 cannot be fenced; the coordinator throws inside its check for "
    "timeouts, and that check ends no overdue transaction of any id after it, on any of this broker's partitions of "
    "__transaction_state.",
    fixed=((4, 3, 0),),
    findings=("TXN001",),
    speaks="an overdue Ongoing id at epoch 32767, and other overdue ids of the same coordinator; 'Cannot fence "
    "producer with epoch equal to Short.MaxValue' in the broker's log",
    against="no overdue id of this coordinator is at epoch 32767",
    remedy="upgrade the coordinators to 4.3.0; give the application of the id at 32767 another transactional.id",
    by_release=False,
    step="the other ids are ended by forceTerminateTransaction or by their producers; for the id at 32767 both throw "
    "the same error, and only kafka-transactions.sh abort, one partition after the other, works",
)
ROLLOVER_FORGOTTEN = KnownBug(
    "KAFKA-20310",
    mechanism="The producer ids before and after an id's epochs are used up are not kept in __transaction_state, so a "
    "coordinator that moves in the middle leaves the id stuck or fenced.",
    fixed=((4, 3, 0),),
    findings=("TXN001", "TXN006"),
    speaks="the id's newest record is at epoch 32766 or 32767, and no record gives it a new producer id",
    against="the id's epoch is far below 32766, or its next record has a new producer id",
    remedy="upgrade the coordinators to 4.3.0; until then the application needs another transactional.id",
    since=(4, 0, 0),
    by_release=False,
    step="the coordinator may refuse to fence the id: ask it first, and end the transaction partition by partition",
)
PENDING_MARKERS_LOST = KnownBug(
    "KAFKA-16352",
    mechanism="When an answer to an older epoch's markers comes, the coordinator forgets which markers it waits for, "
    "and the id stays in Prepare for ever.",
    fixed=((3, 8, 0),),
    findings=("TXN006",),
    speaks="a Prepare record that is the id's newest, although the markers may all be there",
    against="the coordinator was restarted or moved since: it sends the markers again when it loads the id",
    remedy="restart the coordinator, or move its partition of __transaction_state: it loads the id and sends the "
    "markers again; upgrade to 3.8.0",
    prevention="upgrade the coordinators to 3.8.0",
    step="do not wait: make the coordinator load the id again",
)
STRICT_ANSWERS = KnownBug(
    "KAFKA-19999",
    mechanism="The coordinator rejects the answers to its markers and never completes the transaction. Only a build of "
    "trunk of late 2025 is known to do so, no release from 3.8.0 on.",
    fixed=((4, 2, 0),),
    findings=("TXN006",),
    speaks="Prepare for ever, with every marker in the logs, on brokers that were built from trunk",
    against="the brokers run a release",
    remedy="run a release",
    since=(4, 2, 0),
    by_release=False,
)
LATE_MARKERS = KnownBug(
    "KAFKA-19446",
    mechanism="A leader accepts a marker of a lower epoch that comes after the id has gone on, and that marker ends "
    "the transaction that is running by then.",
    fixed=((4, 2, 0),),
    findings=("TXN011",),
    speaks="a marker whose epoch is below that of the batches before it",
    against="epochs in the log only rise",
    remedy="upgrade; transaction.version 2 with clients of 4.0 gives each transaction an epoch of its own",
)
MARKER_SKIPPED = KnownBug(
    "KAFKA-20734",
    mechanism="A coordinator takes a partition that has no leader for a deleted one: it sends no marker there and "
    "completes the transaction, whose data stays open, or ends as the producer's next transaction does.",
    fixed=(),
    findings=("TXN004", "TXN005", "TXN010", "TXN011", "TXN013"),
    speaks="by the controllers' log the partition had no leader when the transaction was completed; 'Couldn't find "
    "leader endpoint for partitions' in the log of its coordinator",
    against="the partition had a leader from the decision to the completion",
    remedy="end what is open there before its producer goes on; keep replicas in sync on other brokers, so that no "
    "partition is without a leader while one of them is down",
    since=(4, 3, 0),
)
DOUBLE_BUMP = KnownBug(
    "KAFKA-19367",
    mechanism="InitProducerId during a running transaction raises the epoch twice, and the client is left with an "
    "epoch below the coordinator's.",
    fixed=((4, 0, 1), (4, 1, 0)),
    findings=("PID001",),
    speaks="the epoch in the id's records rises by two at an abort, and its producer writes nothing afterwards",
    against="the epochs of the id rise one by one",
    remedy="upgrade; restart the producer, which is given a new epoch",
    since=(4, 0, 0),
)
OVERLAPPING_BLOCKS = KnownBug(
    "KAFKA-20031",
    mechanism="Two brokers are given blocks of producer ids that overlap, so two producers write with one producer id.",
    fixed=((4, 3, 0),),
    findings=("PID004",),
    speaks="one producer id in the records of two transactional ids, or two blocks of the controllers' log that share "
    "ids",
    against="the files are of two clusters, or one of the two ids was deleted before the other came",
    remedy="upgrade the controllers to 4.3.0; restart the producers of both ids, so that they are given others",
    prevention="upgrade the controllers to 4.3.0",
    step="check both ids before an abort: a marker for the shared producer id ends what either of them has open",
)
PARTITION_COUNT = KnownBug(
    "KAFKA-20029",
    mechanism="After partitions were added to __transaction_state, brokers that have not restarted look for an id in "
    "its old partition, and others in its new one (KIP-1268 would stop it).",
    fixed=(),
    findings=("TXN001", "TXN006", "RTE001", "RTE002", "RTE003", "RTE004"),
    speaks="records of one id in two partitions of __transaction_state, or in one that its hash does not give",
    against="the partition count of __transaction_state never changed",
    remedy="never add partitions to __transaction_state, __consumer_offsets or __share_group_state: deny Alter on them "
    "by ACL",
    step="abort by hand first where no coordinator will look for the id",
    by_release=False,
)
STALE_ANSWERS = KnownBug(
    "KAFKA-21181",
    mechanism="For some seconds after an election a former coordinator may answer about ids that it no longer owns.",
    fixed=(),
    findings=("TXN001", "TXN006", "TXN013"),
    speaks="the answer's CoordinatorId is not the leader of the id's partition of __transaction_state",
    against="the same answer comes again a minute later, from the leader",
    remedy="ask again after a minute, and compare CoordinatorId with the partition's leader",
    step="ask the coordinator again a minute later: its answer counts only if it is the same",
    by_release=False,
    prevention="",
    ranges_read=False,
)
STALE_LISTS = KnownBug(
    "KAFKA-21481",
    mechanism="ListTransactions may name transactions of partitions that the broker has just lost, for some seconds "
    "after an election.",
    fixed=(),
    findings=("TXN001", "TXN006", "TXN013"),
    speaks="one id in the lists of two brokers",
    against="the same list comes again a minute later",
    remedy="ask again after a minute",
    step="ask for the list again a minute later: it counts only if it is the same",
    by_release=False,
    prevention="",
    ranges_read=False,
)

ALL = (
    LAST_EPOCH_STOPS_TIMEOUTS,
    ROLLOVER_FORGOTTEN,
    PENDING_MARKERS_LOST,
    STRICT_ANSWERS,
    LATE_MARKERS,
    MARKER_SKIPPED,
    DOUBLE_BUMP,
    OVERLAPPING_BLOCKS,
    PARTITION_COUNT,
    STALE_ANSWERS,
    STALE_LISTS,
)
