"""Known bugs of the group coordinator that leave a group's offsets pending."""

from analyzer.kafka.known_bugs.bug import KnownBug

NOT_MATERIALISED = KnownBug(
    "KAFKA-17507",
    mechanism="The group coordinator answers a marker before the offsets of its transaction are in its memory; when it "
    "is unloaded or fails in between, the group sees them as pending, although the files are whole.",
    fixed=((3, 9, 1), (4, 0, 0)),
    findings=("GRP002",),
    speaks="every marker is in __consumer_offsets, and the group is still answered UNSTABLE_OFFSET_COMMIT or an old "
    "offset",
    against="the transaction is open in the log, too: then the files explain it",
    remedy="move the leader of the group's partition of __consumer_offsets, or restart it: it loads the offsets from "
    "its log again",
    prevention="upgrade the brokers to 3.9.1 or 4.0",
    since=(2, 0, 0),
    step="after the abort look at the group; if it still waits, move its coordinator",
)
DELETED_WHILE_PENDING = KnownBug(
    "KAFKA-19163",
    mechanism="The new group coordinator deletes a group that has no committed offset, although a transaction with "
    "offsets of it is pending.",
    fixed=((4, 0, 1), (4, 1, 0)),
    findings=("GRP002",),
    speaks="a tombstone of the group while a commit of it is pending",
    against="the group has other committed offsets",
    remedy="upgrade; set the group's offset by hand once the transaction has ended",
    prevention="upgrade the brokers to 4.0.1 or 4.1",
    since=(4, 0, 0),
)
NOT_UNLOADED = KnownBug(
    "KAFKA-20115",
    mechanism="The new group coordinator does not unload a partition that it lost while a batch was under way, and "
    "goes on with what it remembers.",
    fixed=((4, 3, 0),),
    findings=("GRP002",),
    speaks="'Failed to unload metadata' in the broker's log, just after an election of the partition",
    against="the broker was restarted since",
    remedy="restart the broker that led the partition before",
    prevention="upgrade the brokers to 4.3",
    since=(4, 0, 1),
    ranges_read=False,
)

ALL = (NOT_MATERIALISED, DELETED_WHILE_PENDING, NOT_UNLOADED)
