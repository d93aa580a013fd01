r"""Takes lines of kafkactl and of Cruise Control's state: how far logs reach, who leads, and where a group is.

PARTITION     OLDEST_OFFSET     NEWEST_OFFSET     EMPTY     LEADER           REPLICAS     IN_SYNC_REPLICAS
3             0                 1042              false     kafka-1:9092     1,2,3        1,2
TOPIC      PARTITION     NEWEST_OFFSET     OLDEST_OFFSET     CONSUMER_OFFSET     LEAD     LAG
orders     3             1042              0                 87                  87       955
     TOPIC PARTITION    LEADER      REPLICAS      IN-SYNC    OUT-OF-SYNC     OFFLINE   MIN-ISR         (Cruise Control)
    orders         3        -1        [1, 2]           []         [1, 2]      [1, 2]         2

kafkactl names topic and group in its command alone, and a leader by its address. None of this tells of transactions.
Source: `topic-operation.go` and `consumer-group-operation.go` of kafkactl 5; `ClusterPartitionState` of Cruise Control.
"""

import re

from analyzer.kafka.topics import TOPIC_NAME
from analyzer.parse.answers.objects import place_of
from analyzer.parse.answers.told import Observation, led, log_end
from analyzer.parse.rows import within

_OF_TOPIC = re.compile(r"PARTITION\s+OLDEST_OFFSET\s+NEWEST_OFFSET\s+(?:EMPTY\s+)?LEADER\s+REPLICAS\s+IN_SYNC_REPLICAS")
_OF_GROUP = re.compile(r"TOPIC\s+PARTITION\s+NEWEST_OFFSET\s+OLDEST_OFFSET\s+CONSUMER_OFFSET\s+LEAD\s+LAG")
_OF_STATE = re.compile(r"TOPIC\s+PARTITION\s+LEADER\s+REPLICAS\s+IN-SYNC\s+OUT-OF-SYNC\s+OFFLINE(?:\s+MIN-ISR)?")
_COMMAND = re.compile(
    r"\bkafkactl\s+describe\s+(?:(topic)|(?:consumer-group|cg))\s+(?:-\S+\s+)*([\w.-]{1,249})(?:\s|$)"
)
_TOPIC_ROW = re.compile(r"(\d{1,9})\s+\d{1,19}\s+(\d{1,19})\s+(?:true\s+|false\s+)?\S.*")
_GROUP_ROW = re.compile(
    rf"({TOPIC_NAME})\s+(\d{{1,9}})\s+(\d{{1,19}})\s+\d{{1,19}}\s+(-?\d{{1,19}})\s+-?\d{{1,19}}\s+-?\d{{1,19}}"
)
_LIST = r"\[([\d, ]*)\]"
_STATE_ROW = re.compile(
    rf"({TOPIC_NAME})\s+(\d{{1,9}})\s+(-?\d{{1,9}})\s+{_LIST}\s+{_LIST}\s+{_LIST}\s+{_LIST}(?:\s+\d{{1,9}})?"
)
_STATE_PART = re.compile(
    r"(?:Under Replicated, Offline, and Under MinIsr|Offline|Under Replicated|Under MinIsr|Other) Partitions:"
    r"|Partitions with Offline Replicas:|All Partitions in the Cluster \(verbose\):"
)


class OtherTables:
    """What the lines before told: the command, and the table below it."""

    def __init__(self) -> None:
        """Begin outside any table."""
        self._topic = self._group = ""
        self._table: re.Pattern[str] | None = None

    def see_command(self, command: str) -> None:
        """Take the command that the next lines answer."""
        found = _COMMAND.search(command)
        self._topic, self._group = (found[2] * bool(found[1]), found[2] * (not found[1])) if found else ("", "")
        self._table = None

    def take(self, text: str) -> Observation | bool:
        """Return what a line tells, True for one that is known to tell nothing, False for any other."""
        line = text.strip()
        head = next((one for one in (_OF_TOPIC, _OF_GROUP, _OF_STATE) if one.fullmatch(line)), None)
        if head:
            self._table = head
            return True
        if _STATE_PART.fullmatch(line):
            return True
        if self._table is _OF_STATE:
            return _of_state(line)
        if self._table is _OF_TOPIC and self._topic and (row := _TOPIC_ROW.fullmatch(line)):
            return log_end(self._topic, int(row[1]), int(row[2]), " ".join(line.split()))
        if self._table is _OF_GROUP and self._group and (row := _GROUP_ROW.fullmatch(line)):
            return _position(self._group, row, line)
        return False


def _position(group: str, row: re.Match[str], line: str) -> Observation:
    position, end = within(int(row[4]), "bigint"), within(int(row[3]), "bigint")
    none = position is None or position < 0
    text = " ".join(line.split())
    return ("group_position", row[1], within(int(row[2]), "int"), group, None if none else position, end, text)


def _of_state(line: str) -> Observation | bool:
    row = _STATE_ROW.fullmatch(line)
    place = place_of(row[1], int(row[2])) if row else None
    if row is None or place is None:
        return False
    return led(*place, within(int(row[3]), "int"), row[4].replace(" ", ""), row[5].replace(" ", ""))
