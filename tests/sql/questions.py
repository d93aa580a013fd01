"""Twelve questions to a case, each with the SQL that answers it on Sail, Spark and DuckDB alike: part of docs/sql.md."""

from typing import NamedTuple


class Question(NamedTuple):
    """A question of an analyst, the statement that answers it, and what to know when reading the answer."""

    title: str
    sql: str
    remark: str = ""


QUESTIONS = (
    Question(
        "What is wrong, the worst first?",
        """\
SELECT id, name, severity, confidence, topic, partition, first_offset, last_offset
FROM findings
ORDER BY severity, confidence, id""",
        "`txn-forensics explain ID` says more of each.",
    ),
    Question(
        "Where do read_committed consumers stop, and how much waits there?",
        """\
SELECT topic, partition, lso, log_end_offset, blocked_records, blocked_bytes, blocked_transactions
FROM partition_health
WHERE authority AND blocked_records > 0
ORDER BY blocked_records DESC""",
        "`authority` marks the replica that the report judges.",
    ),
    Question(
        "Which transactions are open, whose are they, and what is said of each?",
        """\
SELECT topic, partition, transactional_id, producer_id, first_offset, last_offset, verdict, finding
FROM open_transactions
WHERE authority
ORDER BY topic, partition, first_offset""",
    ),
    Question(
        "What did one id do?",
        """\
SELECT coordinator_txn, producer_id, decision_epoch, begun_ms, decided_ms - begun_ms AS open_ms, decision, state
FROM id_txns
WHERE transactional_id = 'order-writer-1'
ORDER BY coordinator_txn""",
        "`txn-forensics txn order-writer-1` tells the same with partitions and markers.",
    ),
    Question(
        "Which transactions took longest from their begin to their decision?",
        """\
SELECT transactional_id, coordinator_txn, decision, decided_ms - begun_ms AS open_ms, timeout_ms
FROM id_txns
WHERE decided_ms IS NOT NULL
ORDER BY open_ms DESC, transactional_id, coordinator_txn
LIMIT 5""",
    ),
    Question(
        "How often does each id commit, and how often does it abort?",
        """\
SELECT transactional_id,
       count(*) AS transactions,
       sum(CASE WHEN decision = 'COMMIT' THEN 1 ELSE 0 END) AS committed,
       sum(CASE WHEN decision = 'ABORT' THEN 1 ELSE 0 END) AS aborted,
       sum(CASE WHEN decision IS NULL THEN 1 ELSE 0 END) AS undecided
FROM id_txns
GROUP BY transactional_id
ORDER BY aborted DESC, transactional_id""",
    ),
    Question(
        "How long after the decision did the marker come, by partition?",
        """\
SELECT l.topic, l.partition, count(*) AS markers, min(l.marked_ms - t.decided_ms) AS least_ms,
       max(l.marked_ms - t.decided_ms) AS most_ms
FROM id_txn_logs l
JOIN id_txns t
  ON t.capture = l.capture AND t.state_partition = l.state_partition
 AND t.transactional_id = l.transactional_id AND t.coordinator_txn = l.coordinator_txn
WHERE l.marked_ms IS NOT NULL AND t.decided_ms IS NOT NULL
GROUP BY l.topic, l.partition
ORDER BY most_ms DESC, l.topic, l.partition""",
        "Two clocks are compared: that of the coordinator with that of the partition's leader.",
    ),
    Question(
        "Which file shows which log, and were its records printed?",
        """\
SELECT topic, partition, replica, segment, path, kind, deep
FROM log_places
WHERE topic = 'orders'
ORDER BY topic, partition, path, section""",
        "Without printed records the type of a marker is not known.",
    ),
    Question(
        "Which data of transactions does no decision account for?",
        """\
SELECT t.topic, t.partition, t.producer_id, t.txn_no, t.first_offset, t.last_offset, t.records, t.marker
FROM log_txns t
LEFT JOIN id_txn_logs l
  ON l.capture = t.capture AND l.topic = t.topic AND l.partition = t.partition AND l.replica = t.replica
 AND l.producer_id = t.producer_id AND l.txn_no = t.txn_no
WHERE l.txn_no IS NULL AND t.first_offset IS NOT NULL
ORDER BY t.topic, t.partition, t.first_offset""",
        "What is still open is among them, and so is what was written outside of its transaction.",
    ),
    Question(
        "How many records of each topic were committed, aborted, or neither?",
        """\
SELECT topic,
       coalesce(marker, 'open') AS ended_by,
       count(*) AS transactions,
       sum(records) AS records,
       sum(bytes) AS bytes
FROM log_txns
WHERE first_offset IS NOT NULL
GROUP BY topic, coalesce(marker, 'open')
ORDER BY topic, ended_by""",
        "Every replica of the capture counts; join `partition_health` and ask for `authority` where there are several.",
    ),
    Question(
        "How many transactions began in each minute?",
        """\
SELECT begun_ms - begun_ms % 60000 AS minute_ms, count(*) AS transactions,
       sum(CASE WHEN decision = 'ABORT' THEN 1 ELSE 0 END) AS aborted
FROM id_txns
WHERE begun_ms IS NOT NULL
GROUP BY begun_ms - begun_ms % 60000
ORDER BY minute_ms""",
    ),
    Question(
        "Which checks ran, and which could not?",
        """\
SELECT status, reason, count(*) AS checks, sum(findings) AS findings
FROM detector_runs
GROUP BY status, reason
ORDER BY checks DESC, status, reason""",
        "`coverage` has a row for whatever a capture lacks, and the file that would tell; this one lacks nothing.",
    ),
)
