"""What begins a line of a log whose layout is not Kafka's: its level stands before its time, or it has no date."""

import re

LEVEL = "(?:TRACE|DEBUG|INFO|WARN|ERROR)"
"""Of a broker of Redpanda's, and of what Logback and slf4j-simple write: neither has FATAL."""
REDPANDA_HEAD = rf"\b{LEVEL}  ?\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d,\d{{3}} \[shard "
"""`INFO  2024-05-25 13:14:14,560 [shard 0:main] tx - ...`"""
OF_REDPANDA = (
    rf"{REDPANDA_HEAD}[^\]]{{1,40}}\] [\w./-]{{1,40}} - \w{{1,60}}\.(?:cc|h):\d{{1,6}} - "
    r"|^\s*(?:# (?:HELP|TYPE) )?(?:redpanda_(?:application|cluster|kafka|raft|rpc|storage)|vectorized)_\w{1,200}[ {]"
    r"|\bredpanda\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\"(?:lso_bound|staleness_ms|raft_group_id)\":\s?-?\d"
)
"""What only Redpanda writes: its log (file and line before the message), metrics, ids of clusters, its Admin API."""
OF_KOP = r"\bio\.streamnative\.pulsar\.handlers\.kop\b"
"""What only a broker of Kafka on Pulsar (KoP) writes: its classes. Clients name Pulsar's topics, too."""
PERHAPS_OTHERS = (
    "[shard ", "redpanda", "vectorized_", ".handlers.kop", '"lso_bound"', '"staleness_ms"', '"raft_group_id"',
)  # fmt: skip
"""Of these one stands in each line that only they write."""
CLIENT_HEAD = (
    rf"(?:(?<!\d)\d\d:\d\d:\d\d[.,]\d{{3}} )?\[[^\]\n]{{1,200}}\] {LEVEL} +"
    r"(?:[A-Za-z_$][\w$]*\.)+[A-Za-z_$][\w$]* +--? "
)
"""`13:14:14.560 [main] INFO  org.apache.kafka.clients.Metadata - ...`: what Logback and slf4j-simple write unasked."""
LIBRDKAFKA_HEAD = r"%[0-7]\|(\d{10})\.(\d{3})\|"
"""`%4|1716642854.560|GETPID|rdkafka#producer-1| [thrd:main]: ...`: seconds since the epoch, and milliseconds."""
LOGGED = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d.{0,40}?\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b"
    rf"|{REDPANDA_HEAD}|{LIBRDKAFKA_HEAD}|{CLIENT_HEAD}"
)
"""A line of a log: no table has a level beside a time."""
OF_CLIENT = re.compile(CLIENT_HEAD)

LOG_DIRS = r"\{\s*(?:\"version\":\s*\d,\s*)?\"brokers\":\s*\[\s*\{\s*\"broker\":\s*\d{1,10},\s*\"logDirs\":"
"""How the JSON value of kafka-log-dirs.sh --describe begins, on one line or indented."""
LOG_DIRS_LINES = rf"(?:Querying brokers for log directories|Received log directory) information\b|{LOG_DIRS}"
"""The same, and what that tool prints before it. Source: `LogDirsCommand` of 1.0 to 4.3."""
