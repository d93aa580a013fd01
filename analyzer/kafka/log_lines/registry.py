"""All lines that are known, in the order in which they are looked for, and what each proves."""

from analyzer.kafka.log_lines.of_clients import OF_CLIENTS
from analyzer.kafka.log_lines.of_java import OF_JAVA
from analyzer.kafka.log_lines.of_kafka import OF_KAFKA
from analyzer.kafka.log_lines.of_metrics import OF_METRICS
from analyzer.kafka.log_lines.of_redpanda import OF_REDPANDA
from analyzer.kafka.log_lines.of_tools import OF_TOOLS
from analyzer.kafka.log_lines.pattern import Pattern

ALL: tuple[Pattern, ...] = (*OF_KAFKA, *OF_JAVA, *OF_CLIENTS, *OF_REDPANDA, *OF_TOOLS, *OF_METRICS)
PROVES: dict[str, str] = {one.says: one.proves for one in ALL}
"""What a line proves, by what it says."""
