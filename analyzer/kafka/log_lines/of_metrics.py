"""Metrics of brokers, as exporters print them."""

from analyzer.kafka.log_lines.pattern import NEVER, OTHER, Pattern

VALUE = r"(?P<number>\d{1,19}(?:\.\d{1,20}[Ee]\+?\d{1,2})?)(?:\.\d+)?(?![\w.])"
"""A number as Java prints it: from ten million on `1.8233E7`."""

SILENT_METRIC, SILENT_RECORD, UNDECODED_RECORD = "silent_metric", "silent_record", "undecoded_record"
UNCLEAN, UNNAMED = "unclean_elections", "series_unnamed"
GROUP_LAG, STANDS, AT_LSO = "group_lag", "group_stands", "group_at_lso"
_LAGS = "a group was so far from the high watermark: it may wait for an open transaction, or be slow or stopped"
_EXPORTED = r"(?:kafka_consumergroup(?:_group)?_lag|kminion_kafka_consumer_group_topic_partition_lag)"

OF_METRICS: tuple[Pattern, ...] = (
    Pattern(
        "late_transactions", "metric", OTHER,
        r"(?i)partitions_?with_?late_?transactions_?count\w*(?:[\"{][^}]{0,300}\})?"
        rf"\s+{VALUE}",
        "so many partitions of this broker have a transaction open beyond transaction.max.timeout.ms",
    ),
    Pattern(
        "stable_offset_lag", "metric", OTHER,
        r"(?i)(?:last_?stable_?offset_?lag(?:_value)?|_value(?=\{[^}]*\"laststableoffsetlag\"))\{(?=[^}]*topic=\"(?P<topic>[A-Za-z0-9._-]{1,249})\")"
        rf"(?=[^}}]*partition=\"(?P<partition>\d{{1,10}})\")[^}}]*\}}\s+{VALUE}",
        "so many offsets of the partition are above its LSO",
    ),
    Pattern(
        GROUP_LAG, "metric", OTHER,
        rf"\b{_EXPORTED}\{{(?=[^}}]*\btopic(?:_name)?=\"(?P<topic>[A-Za-z0-9._-]{{1,249}})\")"
        rf"(?=[^}}]*\bpartition(?:_id)?=\"(?P<partition>\d{{1,10}})\")[^}}]*\}}\s+(?=[1-9]){VALUE}",
        _LAGS,
    ),
    Pattern(GROUP_LAG, "tool", OTHER, NEVER, _LAGS),
    Pattern(
        STANDS, "tool", OTHER, NEVER,
        "the group stood there in two answers, while the log grew: it waits for a transaction that is open from there, "
        "or is stopped",
    ),
    Pattern(
        AT_LSO, "tool", OTHER, NEVER,
        "the group stands at the LSO: with read_committed it waits for the transaction that is open from there",
    ),
    Pattern(
        "markers_waiting", "metric", OTHER,
        r"(?i)(?:unknown_?destination|log_?append_?retry)_?queue_?size\w*(?:[\"{][^}]{0,300}\})?"
        rf"\s+(?=[1-9]){VALUE}",
        "so many ends of decided transactions waited in this coordinator: for a leader to send the marker to, or to "
        "write that all of them are written; an abort may tear them",
    ),
    Pattern(
        UNCLEAN, "metric", OTHER,
        r"(?i)(?:unclean_?leader_?elections(?:_?per_?sec)?_(?:total|count)(?:\{[^}]{0,300}\})?"
        rf"|_count\{{[^}}]{{0,300}}\"UncleanLeaderElectionsPerSec\"[^}}]{{0,300}}\}})\s+(?=[1-9]){VALUE}",
        "so many elections of a replica that was not in sync since that controller started: what the new leader lacked "
        "is gone, markers too",
    ),
    Pattern(
        SILENT_METRIC, "metric", OTHER, NEVER,
        "nothing on transactions: these metrics have neither an LSO nor what is open above it",
    ),
    Pattern(
        UNNAMED, "metric", OTHER, NEVER,
        "a chart has a series of this partition, and its file does not say of which metric: whether its values are a "
        "group's lag, an offset or what waits above the LSO, the chart's query tells",
    ),
    Pattern(
        SILENT_RECORD, "tool", OTHER, NEVER,
        "nothing on transactions: records as kcat prints them have no producer id, and no marker is among them",
    ),
    Pattern(
        UNDECODED_RECORD, "tool", OTHER, NEVER,
        "nothing on transactions: kcat decodes no record of this topic, and prints bytes as text, which loses some: "
        "kafka-console-consumer.sh with the --formatter of the topic decodes it, or kafka-dump-log.sh with its decoder",
    ),
)  # fmt: skip
