r"""Takes lines of kcat: the topics of a cluster, who leads each partition, and how far a log reached.

Metadata for all topics (from broker -1: kafka:9092/bootstrap):
 3 brokers:
  broker 1 at kafka1:9092 (controller)
 2 topics:
  topic "orders" with 1 partitions:
    partition 0, leader 1, replicas: 1,2,3, isrs: 1,2
    partition 1, leader -1, replicas: 2,3,1, isrs: 2, Broker: Leader not available

orders [3] offset 1042                                                                   (kcat -Q, of any timestamp)
% Reached end of topic orders [3] at offset 1042                                         (kcat -C)

Source: `metadata_print`, `query` and `consume_cb` of kcat and kafkacat 1.2 to 1.7. The last two ask as consumers, which
see no further than the LSO unless they are told otherwise: a log reached that far at least.
"""

import re

from analyzer.parse.answers.told import Observation, led, log_end
from analyzer.parse.rows import within

_ALL = re.compile(r"\s*Metadata for all topics \(from broker -?\d+: .*\):?\s*")
_TOPIC = re.compile(r'\s*topic "([\w.-]{1,249})" with (\d{1,10}) partitions:(.*)')
_PARTITION = re.compile(
    r"\s*partition (\d{1,10}), leader (-?\d{1,10}), replicas: ([\d,]*), isrs: ([\d,]*?)(?:, (\D.*))?\s*"
)
_END = re.compile(
    r"([\w.-]{1,249}) \[(\d{1,9})\] offset (\d{1,19})"
    r"|% Reached end of topic ([\w.-]{1,249}) \[(\d{1,9})\] at offset (\d{1,19})(?:: exiting)?"
)
_SILENT = re.compile(
    r"\s*(?:Metadata for [\w.-]{1,249} \(from broker .*|\d+ (?:brokers|topics):"
    r"|broker \d+ at \S+(?: \(controller\))?)\s*"
)


class KcatLines:
    """The topic that the lines before told."""

    def __init__(self) -> None:
        """Begin without any."""
        self._topic: str | None = None

    def take(self, text: str) -> Observation | bool:
        """Return what the line observes, True if it is known to observe nothing, False if it is not of this tool."""
        line = text.rstrip()
        if _ALL.fullmatch(line):
            return ("all_topics", None, None, None, None, None, line.strip())
        topic = _TOPIC.fullmatch(line)
        if topic:
            self._topic = topic[1]
            count = within(int(topic[2]), "int")
            return ("partition_count", topic[1], None, None, count, None, line.strip()) if count else True
        if end := _END.fullmatch(line):
            name, number, offset = filter(None, end.groups())
            return log_end(name, int(number), int(offset), line)
        partition = _PARTITION.fullmatch(line)
        if partition is None or self._topic is None:
            return bool(_SILENT.fullmatch(line))
        number, leader = (within(int(told), "int") for told in (partition[1], partition[2]))
        return led(self._topic, number, leader, partition[3], partition[4])
