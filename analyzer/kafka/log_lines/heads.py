"""What begins a line of a log whose layout is not Kafka's: its level stands before its time, or it has no date."""

REDPANDA_HEAD = r"\b(?:TRACE|DEBUG|INFO|WARN|ERROR)  ?\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} \[shard "
"""`INFO  2024-05-25 13:14:14,560 [shard 0:main] tx - ...`"""
LIBRDKAFKA_HEAD = r"%[0-7]\|(\d{10})\.(\d{3})\|"
"""`%4|1716642854.560|GETPID|rdkafka#producer-1| [thrd:main]: ...`: seconds since the epoch, and milliseconds."""
