"""Known bugs of the partitions' leaders: the cleaner, appends, tiered storage."""

from analyzer.kafka.known_bugs.bug import KnownBug

MARKER_BEFORE_DATA = KnownBug(
    "KAFKA-13727",
    mechanism="The cleaner forgets an aborted transaction whose data lies beyond its offset map, and removes the ABORT "
    "marker before the data.",
    fixed=((2, 8, 2), (3, 0, 2), (3, 1, 1), (3, 2, 0)),
    findings=("TXN005", "TXN007"),
    speaks="a hole where the ABORT marker was, inside the range that the cleaner checkpoint covers, and the data still "
    "before it",
    against="the topic is not compacted, or the decision was COMMIT",
    remedy="upgrade before the topic is cleaned again; save the aborted records first, readers may take them for "
    "committed",
    prevention="upgrade the brokers to 3.0.2, 3.1.1 or 3.2 before the topic is cleaned again",
    only_with=(("cleanup.policy", "compact"),),
)
MARKER_BY_KEY = KnownBug(
    "KAFKA-14055",
    mechanism="The cleaner removes a marker, ABORT or COMMIT, if a later record of the partition has the marker's key: "
    "4 bytes with 0 or 1, as an IntegerSerializer writes them.",
    fixed=((3, 0, 2), (3, 1, 2), (3, 2, 1), (3, 3, 0)),
    findings=("TXN004", "TXN005", "TXN007"),
    speaks="records of the topic whose key is 4 bytes with 0 (ABORT) or 1 (COMMIT), after the missing marker",
    against="the topic is not compacted, or no key of it has 4 bytes",
    remedy="upgrade before the topic is cleaned again; until then keep keys of that form out of the topic",
    only_with=(("cleanup.policy", "compact"),),
)
MARKERS_BETWEEN_GROUPS = KnownBug(
    "KAFKA-8351",
    mechanism="One pass of the cleaner over several groups of segments forgets, between the groups, which transactions "
    "were aborted, and drops their markers.",
    fixed=((2, 2, 2), (2, 3, 0)),
    findings=("TXN004", "TXN005", "TXN007"),
    speaks="the hole is in a later segment than the data, both inside the cleaned range",
    against="the topic is not compacted, or data and marker lie in one segment",
    remedy="upgrade before the topic is cleaned again",
    only_with=(("cleanup.policy", "compact"),),
)
OTHER_THREADS_BUFFERS = KnownBug(
    "KAFKA-15653",
    mechanism="After it has asked the coordinator about a transaction, the leader goes on with another thread's "
    "buffers, so an append may fail or go wrong.",
    fixed=((3, 6, 1), (3, 7, 0)),
    findings=("TXN003", "LOG002"),
    speaks="failed or odd produce requests of transactional producers since the upgrade to 3.6.0",
    against="transaction.partition.verification.enable is false",
    remedy="upgrade; until then transaction.partition.verification.enable=false, which brings hanging transactions "
    "back (KAFKA-12671)",
    since=(3, 6, 0),
    only_with=(("transaction.partition.verification.enable", "true"),),
)
TIERED_START = KnownBug(
    "KAFKA-20732",
    mechanism="In a topic with tiered storage a new leader takes a wrong start of its log, and all replicas delete "
    "data that retention would keep.",
    fixed=((4, 4, 0),),
    findings=("TXN009", "TXN015"),
    speaks="the log start jumps to far later offsets just after an election",
    against="remote.storage.enable is not true for the topic",
    remedy="upgrade before the next election, and keep what another cluster or backup has of the topic",
    only_with=(("remote.storage.enable", "true"),),
    by_release=False,
    ranges_read=False,
)
APPENDED_TWICE = KnownBug(
    "KAFKA-19407",
    mechanism="A race on a segment's largest timestamp fails an append in the time index when its batch is in the log "
    "file already, so the next batch may be given the same offsets.",
    fixed=((4, 2, 0),),
    findings=("LOG002",),
    speaks="offsets that do not rise, such as DumpLogSegments tells as 'X is followed by Y', without a broken "
    "checksum; 'Attempt to append a timestamp' in the broker's log",
    against="the damage is a broken checksum or a cut batch",
    remedy="upgrade; move the leader to a replica whose log is whole",
    prevention="upgrade the brokers to 4.2",
    ranges_read=False,
)

ALL = (
    MARKER_BEFORE_DATA,
    MARKER_BY_KEY,
    MARKERS_BETWEEN_GROUPS,
    OTHER_THREADS_BUFFERS,
    TIERED_START,
    APPENDED_TWICE,
)
