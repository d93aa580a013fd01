r"""Reads what exporters of consumer groups print for Prometheus: positions of groups, their lag, counts of partitions.

kafka_consumergroup_current_offset{consumergroup="readers",partition="3",topic="orders"} 88123         (kafka_exporter)
kafka_consumergroup_lag{consumergroup="readers",partition="3",topic="orders"} 1.0877e+07
kafka_topic_partitions{topic="orders"} 4
kafka_consumergroup_group_offset{cluster_name="dev",group="readers",topic="orders",partition="3",} 88123.0
                                                                                              (kafka-lag-exporter)
kminion_kafka_consumer_group_topic_partition_lag{group_id="readers",partition_id="3",topic_name="orders"} 10877

vectorized_cluster_partition_last_stable_offset{namespace="kafka",partition="3",topic="orders"} 88123    (Redpanda's
vectorized_cluster_partition_high_watermark{namespace="kafka",partition="3",topic="orders"} 99000         /metrics)

The exporters count to the high watermark, and none has a metric of the LSO or of transactions. Who leads a partition is
not taken from them: they ask for that now and then. A position of 0 may stand for none.
"""

import re
from decimal import Decimal

from analyzer.kafka.log_lines.of_metrics import SILENT_METRIC, UNCLEAN
from analyzer.kafka.topics import TOPIC_NAME
from analyzer.parse.answers.objects import place_of
from analyzer.parse.answers.told import Observation, stable_offset
from analyzer.parse.logs.line import LogLine
from analyzer.parse.logs.reader import said
from analyzer.parse.rows import within

_PREFIXES = ("kafka_", "kminion_", "redpanda_", "vectorized_")
_SAMPLE = re.compile(rf"((?:{'|'.join(_PREFIXES)})\w{{1,200}})(?:\{{(.{{0,2000}})\}})?\s+(\S{{1,40}})(?:\s+\d{{13}})?")
_LABEL = re.compile(r'(\w{1,60})="((?:[^"\\]|\\.){0,300})"')
_POSITIONS = {"kafka_consumergroup_current_offset": "consumergroup", "kafka_consumergroup_group_offset": "group"}
"""The label of the group, by metric."""
_COUNT = "kafka_topic_partitions"
_STABLE, _WATERMARK = (f"vectorized_cluster_partition_{name}" for name in ("last_stable_offset", "high_watermark"))
_MOST_PARTITIONS = 100_000
"""Partitions of which one of the two is remembered."""
_WHOLE = re.compile(r"\d{1,19}(?:\.\d{1,20})?(?:[eE]\+?\d{1,2})?")
_MOST_LAGS = 10
"""Lags that are told of one text: a page of metrics has one for each partition of each group."""

Told = list[Observation | LogLine]


class Exporters:
    """The metrics so far that show nothing of transactions; `silent` is the first of them, and how many there are."""

    def __init__(self) -> None:
        """Begin without any."""
        self._lags = self._count = 0
        self._first: LogLine | None = None
        self._gauges = False
        self._offsets: dict[str, dict[tuple[str, int], int]] = {_STABLE: {}, _WATERMARK: {}}
        self._pairs = 0

    @property
    def silent(self) -> LogLine | None:
        """What is said of the text at its end; None if it has no such metrics, or one that shows more."""
        return None if self._first is None or self._gauges or self._lags else self._first | {"number": self._count}

    def take(self, text: str) -> Told | None:
        """Return what a sample tells, perhaps nothing; None for any other line."""
        sample = _SAMPLE.fullmatch(text.strip()) if text.lstrip().startswith(_PREFIXES) else None
        if sample is None:
            return None
        found = list(said(text))
        if found:
            return list(self._lag(found))
        labels, number = dict(_LABEL.findall(sample[2] or "")), _whole(sample[3])
        if sample[1] in self._offsets:
            self._gauges = True
            return self._pair(sample[1], labels, number, text.strip())
        self._count += 1
        self._first = self._first or {"says": SILENT_METRIC, "source": "metric", "text": text.strip()[:300]}
        observed = _observed(sample[1], labels, number, text.strip())
        return [observed] if observed else []

    def _pair(self, metric: str, labels: dict[str, str], number: int | None, text: str) -> Told:
        """Return the LSO and the high watermark of a partition once both are told, all that differ and some others."""
        place = place_of(labels.get("topic"), labels.get("partition"))
        if place is None or number is None or labels.get("namespace", "kafka") != "kafka":
            return []
        known = self._offsets[metric]
        if place in known or len(known) < _MOST_PARTITIONS:
            known[place] = number
        stable, watermark = (self._offsets[one].get(place) for one in (_STABLE, _WATERMARK))
        if stable is None or watermark is None or (stable == watermark and self._pairs >= _MOST_LAGS):
            return []
        self._pairs += 1
        return [stable_offset(*place, stable, watermark, text) | {"source": "metric"}]

    def _lag(self, found: list[LogLine]) -> list[LogLine]:
        if found[0]["says"] == UNCLEAN:
            return found
        if found[0]["says"] != "group_lag":
            self._gauges = True
            return found
        self._lags += 1
        return found if self._lags <= _MOST_LAGS else []


def _observed(metric: str, labels: dict[str, str], number: int | None, text: str) -> Observation | None:
    topic, partition = labels.get("topic", ""), labels.get("partition", "")
    if number is None or not re.fullmatch(TOPIC_NAME, topic):
        return None
    if metric == _COUNT and number > 0:
        return ("partition_count", topic, None, None, within(number, "int"), None, text)
    group = labels.get(_POSITIONS.get(metric, ""))
    if group is None or number == 0 or not re.fullmatch(r"\d{1,10}", partition):
        return None
    group = re.sub(r"\\(.)", r"\1", group)
    return ("group_position", topic, within(int(partition), "int"), group, within(number, "bigint"), None, text)


def _whole(value: str) -> int | None:
    """Return a number of Go's or Java's, None for one below 0, which stands for none, and for one that is no integer.

    From 2^53 on a metric, which is a float, is not exact.
    """
    if not _WHOLE.fullmatch(value):
        return None
    number = Decimal(value)
    return int(number) if number == number.to_integral_value() and number < 1 << 53 else None
