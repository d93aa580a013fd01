r"""Takes tables whose columns have names of several words: Confluent's CLI, and pages of Kafdrop as text.

  Cluster  | Consumer Group |  Lag  | Log End Offset | Current Offset | Consumer | Instance | Topic  | Partition
  lkc-7k2p | readers        | 18124 |          60001 |          41877 | c-1      |          | orders |         1
  Cluster  | Topic  | Partition | Leader
  lkc-7k2p | orders |         1 |      4
| Cluster | lkc-7k2p |                              (`lag describe` and `lag summarize` of the CLI print a row upright)
| Max Lag | 18124    |
Kafka Consumer: readers                                                  (Kafdrop, cells parted by tabs)
Topic: orders
Partition  First Offset  Last Offset  Consumer Offset  Lag
Partition  First Offset  Last Offset  Size  Leader Node  Replica Nodes  In-sync Replica Nodes  ...  Under-replicated

Kafdrop names topic and group above its tables, and breaks the words of a header; its last offset is the log's end. None
of this tells of transactions. Source: `command_consumer_group_lag.go` of Confluent's CLI, templates of Kafdrop 4.
"""

import re

from analyzer.kafka.log_lines.of_metrics import GROUP_LAG
from analyzer.kafka.topics import TOPIC_NAME
from analyzer.parse.answers.objects import place_of
from analyzer.parse.answers.told import Observation, led
from analyzer.parse.logs.line import MOST_TEXT, LogLine
from analyzer.parse.rows import within

_CLI = re.compile(r"\s*Cluster\t(?:Consumer Group\t.*\bLog End Offset\t|Topic(?: Name)?\tPartition(?: ID)?\tLeader).*")
_UPRIGHT = re.compile(
    r"[ |]*(Cluster|Consumer Group|Lag|Log End Offset|Current Offset|Total Lag|Consumer|Instance|Client|Topic|Partition"
    r"|Max Lag(?: (?:Consumer|Instance|Client|Topic|Partition))?)\s*\|\s*([^|]{0,300}?)\s*\|?\s*"
)
_FRAME = re.compile(r"\s*\+-+\+-+\+\s*")
"""The line above and below such a row."""
_PAGE = re.compile(r"\s*Partition\s+First(?:\s+Offset\b.*)?")
_PAGE_GOES_ON = re.compile(
    r"(?:(?:First|Last|Consumer|Offset|Lag|Size|Leader|Node|Replicas?|Nodes|In-sync|Offline|Preferred"
    r"|Under-replicated)\s*)+"
)
_PAGE_ENDS = ("Lag", "Under-replicated")
_NAMES = {"topic name": "topic", "partition id": "partition", "leader id": "leader"}
"""What releases of the CLI before 3.0 call the same columns."""
_TOPIC = re.compile(rf"\s*Topic: ({TOPIC_NAME})\s*")
_GROUP = re.compile(r"\s*Kafka Consumer: (\S(?:.{0,247}\S)?)\s*")
_OF_PAGE = re.compile(
    r"\s*(?:Overview|Configuration|Partition Detail|Consumers|(?:View|Search) Messages|Delete topic"
    r"|No topic-specific configuration|Topics\s+\d+|(?:# of partitions|Preferred replicas|Under-replicated partitions"
    r"|Total size|Total available messages|Combined lag)\s+[\d., ]+%?|Group ID\s+Combined Lag)\s*"
)
"""What stands around the tables of a page and tells nothing."""


def begins_columns(text: str) -> bool:
    """Return whether cells, parted by tabs, are the header of a table of Confluent's CLI."""
    return _CLI.fullmatch(text) is not None


class NamedColumns:
    """What the lines before told: topic and group of a page, and the columns of the table."""

    def __init__(self) -> None:
        """Begin outside any table."""
        self._topic = self._group = ""
        self._names: tuple[str, ...] = ()
        self._upright: dict[str, str] | None = None
        """The cells of a row that stands upright, as far as it goes."""
        self._head = ""
        """The header of a page's table, as long as it goes on in the next line."""

    def take(self, text: str) -> Observation | LogLine | bool:
        """Return what a line tells, True for one that is known to tell nothing, False for any other."""
        if _FRAME.fullmatch(text):
            return True
        if cell := _UPRIGHT.fullmatch(text):
            return self._of_upright(cell[1].lower(), cell[2])
        if begins_columns(text):
            names = (cell.strip().lower() for cell in text.rstrip("\t").split("\t"))
            self._names = tuple(_NAMES.get(name, name) for name in names)
            return True
        if self._of_page(text):
            return True
        cells = [cell.strip() for cell in text.removesuffix("\t").split("\t")]
        if not self._names or len(cells) != len(self._names):
            return False
        row = {"topic": self._topic, "consumer group": self._group} | dict(zip(self._names, cells, strict=True))
        return _led(row) if "leader" in row else _position(row, text)

    def _of_upright(self, name: str, value: str) -> Observation | LogLine | bool:
        """Take a cell: the partition's number is the last of its row."""
        if name == "cluster":
            self._upright = {}
        if self._upright is None:
            return False
        self._upright[name] = value
        row = self._upright
        if name == "partition" and {"topic", "lag", "log end offset", "current offset", "consumer group"} <= row.keys():
            self._upright = None
            return _position(row, " ".join(row.values())) or True
        if name == "max lag partition" and {"max lag", "max lag topic"} <= row.keys():
            self._upright = None
            return _farthest(row) or True
        return True

    def _of_page(self, text: str) -> bool:
        """Take what stands above the rows of a page of Kafdrop."""
        if self._head and _PAGE_GOES_ON.fullmatch(text.strip()):
            self._head += f" {text.strip()}"
        elif _PAGE.fullmatch(text):
            self._head = text.strip()
        elif found := _TOPIC.fullmatch(text):
            self._topic, self._names = found[1], ()
            return True
        elif found := _GROUP.fullmatch(text):
            self._group, self._names = found[1], ()
            return True
        else:
            return bool(self._topic or self._group) and _OF_PAGE.fullmatch(text) is not None
        if self._head.endswith(_PAGE_ENDS):
            of_group = self._head.endswith("Lag")
            self._names = _OF_GROUP if of_group else _OF_TOPIC
            self._head = ""
        return True


_OF_GROUP = ("partition", "first offset", "log end offset", "current offset", "lag")
_OF_TOPIC = (
    "partition", "first offset", "last offset", "size", "leader", "replicas", "in sync", "offline", "preferred",
    "under-replicated",
)  # fmt: skip


def _led(row: dict[str, str]) -> Observation | bool:
    leader = row["leader"]
    place = _place(row)
    if place is None or not re.fullmatch(r"-?\d{1,9}|none", leader):
        return False
    number = None if leader == "none" else int(leader)
    return led(*place, number, row.get("replicas"), row.get("in sync"))


def _position(row: dict[str, str], text: str) -> Observation | bool:
    place, group = _place(row), row["consumer group"]
    end, position, lag = (re.sub(r"[,. ]", "", row[name]) for name in ("log end offset", "current offset", "lag"))
    if place is None or not group or not end.isdigit() or not re.fullmatch(r"-?\d{1,19}", position):
        return False
    offset = within(int(position), "bigint") if position.isdigit() else None
    fits = lag.isdigit() and offset is not None and int(end) - offset == int(lag)
    return (
        "group_position",
        *place,
        group,
        offset,
        within(int(end), "bigint") if fits else None,
        " ".join(text.split()),
    )


def _farthest(row: dict[str, str]) -> LogLine | None:
    """Return what a summary tells: the partition where the group lags most, and by how much."""
    place = _place({"topic": row["max lag topic"], "partition": row["max lag partition"]})
    lag = row["max lag"]
    if place is None or not lag.isdigit() or not int(lag):
        return None
    told = " ".join(row.values())[:MOST_TEXT]
    topic, partition = place
    number = within(int(lag), "bigint")
    return {"says": GROUP_LAG, "source": "tool", "topic": topic, "partition": partition, "number": number, "text": told}


def _place(row: dict[str, str]) -> tuple[str, int] | None:
    return place_of(row["topic"], int(row["partition"])) if re.fullmatch(r"\d{1,9}", row["partition"]) else None
