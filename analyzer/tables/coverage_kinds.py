"""The kinds of notes in the table `coverage`, and which of them make `clean` impossible (RULES D 7)."""

COVERAGE_KINDS = {
    "unread_file": "a file or folder that could not be read",
    "unknown_file": "files that no reader knows and that may be evidence",
    "unread_lines": "lines that no reader takes and that may be evidence",
    "unplaced_dump": "batches or records of a dump that no line puts into a partition",
    "unseen_claim": "transactions that an admin tool calls open and no file here shows",
    "missing_partition": "partitions that files here name, and of which no log is here",
    "missing_log": "a partition of which files are here, but no log",
    "missing_data_logs": "a capture without the log of any data partition",
    "running_unseen": "a running transaction of which no data partition is here",
    "missing_start": "a log whose earlier segments are not here, and no snapshot says what was open where it begins",
    "offset_hole": "offsets between two segments that no file holds",
    "unread_bytes": "a part of a segment that no line or batch here shows",
    "old_copy": "a log that lacks markers which the coordinator counts as written",
    "short_log": "a log that ends before its own high watermark, or before an offset that a file of it is named after",
    "unfinished_log": "a log whose last file breaks off, with no high watermark to say that nothing is missing",
    "shallow_dump": "markers whose type no dump prints",
    "missing_coordinator": "partitions of __transaction_state without a dump",
    "missing_state": "the same, where some of them are known to hold records",
    "no_state_topic": "the cluster has no __transaction_state, so no transaction was ever begun on it",
    "cut_dump": "a dump that ends inside a line or batch, or whose tool died",
    "damaged_file": "a place in a file that looks like a copy of a living file, or a lost index",
    "cleaner_risk": "aborted data whose marker the cleaner may remove first",
    "tied_replicas": "replicas that cannot be ranked and have different transactions open",
    "leader_not_here": "a partition that a broker leads, or may lead, whose copy is not here",
    "index_differs": "a .txnindex and a log that contradict each other",
    "snapshot_differs": "a producer snapshot and a log that contradict each other",
    "strange_marker": "markers whose coordinator epoch no coordinator had when they were written",
    "left_unread": "segments that are known to be there and were not read",
    "unopened_topic": "a topic of Kafka's own whose records are not opened",
    "set_aside": "a folder of a log dir that is no replica: -future, -delete or -stray",
}
"""Every kind with what it is about."""

BLINDING_KINDS = (
    "tied_replicas",
    "leader_not_here",
    "missing_log",
    "unplaced_dump",
    "missing_data_logs",
    "unseen_claim",
    "missing_partition",
    "unread_file",
    "unknown_file",
    "unread_lines",
    "offset_hole",
    "unread_bytes",
    "missing_start",
    "unfinished_log",
    "short_log",
    "old_copy",
    "shallow_dump",
    "snapshot_differs",
    "left_unread",
    "missing_state",
    "cleaner_risk",
)
"""Kinds that leave a capture inconclusive where nothing else is found: some log was not judged to its end,
or says other things than the broker believes.

The most telling come first: the report's first line quotes one of them.
"""
