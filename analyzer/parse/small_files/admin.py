r"""Reads pasted output of Kafka's admin tools into rows of `observations`.

    Topic: orders   TopicId: q6eP   PartitionCount: 4   ReplicationFactor: 1   Configs:
        Topic: orders   Partition: 0    Leader: 0   Replicas: 0 Isr: 0
    TransactionalId Coordinator ProducerId  TransactionState
    CoordinatorId   TransactionalId ProducerId  ProducerEpoch   TransactionState    TransactionTimeoutMs    ...
    ProducerId  ProducerEpoch   LatestCoordinatorEpoch  LastSequence    LastTimestamp   CurrentTransactionStartOffset
    Topic   Partition   ProducerId  ProducerEpoch   CoordinatorEpoch    StartOffset LastTimestamp   Duration(min)
    GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID
    Feature: transaction.version   ...   (and other tools that describe a KRaft cluster, see `cluster_tools`)
    GROUP           COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE           #MEMBERS     (observes nothing)

kafka-transactions.sh pads its cells and ends each with a tab; the others separate by tabs or spaces.
"""

import re
from collections.abc import Iterator

from analyzer.parse.remarks import remark_of
from analyzer.parse.rows import Rows, within
from analyzer.parse.sections import Section, close_file
from analyzer.parse.small_files.checkpoints import Observation
from analyzer.parse.small_files.cluster_tools import ClusterLines
from analyzer.parse.stream import Lines
from analyzer.parse.unclaimed import Unclaimed

_TOPIC = re.compile(r"\s*Topic:\s*(\S+)\s.*?PartitionCount:\s*(\d{1,10})\b")
_PARTITION = re.compile(r"\s*Topic:\s*(\S+)\s+Partition:\s*(\d{1,10})\s+Leader:\s*(-?\d{1,10}|none)\s*(.*)")
_PASTED = re.compile(r"\$\s*(\S*kafka\S*.*)")
_EVERY_TOPIC = re.compile(
    r"\S*kafka-topics(?:\.sh)?\s(?!.*--(?:topic|exclude|under|unavailable|at-min)).*--describe\b.*"
)
"""kafka-topics.sh --describe that leaves no topic out."""
_NAME = re.compile(r"(.+)-(\d{1,10})")
_OPTION = r"--{}[= ]+(?:'([^']*)'|\"([^\"]*)\"|(\S+))"
_FILE_PLACE = re.compile(r"describe-producers[._-](.+)-(\d{1,10})(?:\.\w+)*")
_GROUP_HEADER = re.compile(r"GROUP\s+TOPIC\s+PARTITION\s+(NEW-OFFSET|CURRENT-OFFSET)\b.*")
_SILENT_HEADER = re.compile(r"GROUP\s+(?:COORDINATOR \(ID\)|CONSUMER-ID)\s.*|TOPIC\s+PARTITION\s+CURRENT-OFFSET\b.*")
"""Headers of kafka-consumer-groups.sh --state and --members, and of --describe before it named the group."""
_GROUP_ROW = re.compile(
    r"(.*\S)\s+([A-Za-z0-9._-]+)\s+(\d{1,10})\s+(-|\d{1,19})\s+(?:-|\d+)\s+(?:-|-?\d+)\s+\S+\s+\S+\s+\S.*"
)
_RESET_ROW = re.compile(r"(.*\S)\s+([A-Za-z0-9._-]+)\s+(\d{1,10})\s+(-|\d{1,19})\s*")

LIST = ("TransactionalId", "Coordinator", "ProducerId", "TransactionState")
DESCRIBE = ("CoordinatorId", "TransactionalId", "ProducerId", "ProducerEpoch", "TransactionState")
PRODUCERS = ("ProducerId", "ProducerEpoch", "LatestCoordinatorEpoch")
HANGING = ("Topic", "Partition", "ProducerId")
SILENT = ("silent",)
"""The header of a table whose rows observe nothing."""

Place = tuple[str | None, int | None]


def read_admin(lines: Lines, rows: Rows, name: str) -> Iterator[None]:
    """Read pasted output; a `$ kafka-…` line above a table, or else the file's name, tells the table's partition."""
    section = Section(0, 1, 0, kind="admin")
    unclaimed = Unclaimed()
    tables = _Tables(name)
    while not lines.ended:
        text = lines.text().rstrip("\n")
        taken = tables.take(text)
        if isinstance(taken, tuple):
            for observation in (taken, *_listed(taken, tables.partitions)):
                rows.add("observations", 0, lines.number, lines.offset, *observation)
            section.batches += 1
        elif not taken:
            says = remark_of(lines.line)
            if says:
                section.say(says, text)
            else:
                unclaimed.add(lines, "no line of an admin tool", maybe_text=False)
        lines.next()
        yield
    unclaimed.resolve(rows, section, text_allowed=False)
    close_file(section, rows, lines)


class _Tables:
    """The current table: its header, and the partition it is about."""

    def __init__(self, name: str) -> None:
        match = _FILE_PLACE.fullmatch(name)
        self._place: Place = (match[1], int(match[2])) if match else (None, None)
        self._header: tuple[str, ...] = ()
        self.partitions = ""
        self._cluster = ClusterLines()

    def take(self, text: str) -> Observation | bool:
        """Return what the line observes, True if it is known to observe nothing, False if it is not understood."""
        pasted = _PASTED.match(text)
        if pasted:
            topic, partition = _option(pasted[1], "topic"), _option(pasted[1], "partition")
            self._place = (topic, int(partition) if partition and partition.isdigit() else None)
            self._header = ()
            every = _EVERY_TOPIC.fullmatch(pasted[1])
            return ("all_topics", None, None, None, None, None, pasted[1]) if every else True
        described = self._cluster.take(text) or _described(text)
        if described:
            return described
        group = _GROUP_HEADER.fullmatch(text.strip())
        if group:
            self._header = ("GROUP", group[1])
            return True
        if _SILENT_HEADER.fullmatch(text.strip()):
            self._header = SILENT
            return True
        cells = tuple(cell.strip() for cell in text.rstrip().split("\t")) if "\t" in text else tuple(text.split())
        if any(cells[: len(known)] == known for known in (LIST, DESCRIBE, PRODUCERS, HANGING)):
            self._header = cells
            return True
        return self._row(text, cells) or (self._header == SILENT and bool(text.strip()))

    def _row(self, text: str, cells: tuple[str, ...]) -> Observation | None:
        header = self._header
        if header[:1] == ("GROUP",):
            return _group_row(text.strip(), _RESET_ROW if header[1] == "NEW-OFFSET" else _GROUP_ROW)
        fields = dict(zip(header, cells, strict=False))
        if len(cells) < 4 or _integer(fields.get("ProducerId")) is None:  # noqa: PLR2004 - the narrowest table
            return None
        row = " ".join(cells)
        if header[: len(HANGING)] == HANGING:
            offset, producer = _integer(fields.get("StartOffset")), _integer(fields["ProducerId"])
            return ("hanging_candidate", cells[0], _integer(cells[1], "int"), None, offset, producer, row)
        if header[: len(PRODUCERS)] == PRODUCERS:
            offset = _integer(fields.get("CurrentTransactionStartOffset"))
            return ("active_producer", *self._place, None, offset, _integer(fields["ProducerId"]), row)
        if header[: len(LIST)] == LIST or header[: len(DESCRIBE)] == DESCRIBE:
            epoch = _integer(fields.get("ProducerEpoch"))
            name = fields["TransactionalId"]
            self.partitions = fields.get("TopicPartitions", "")
            return ("transaction", None, None, name, _integer(fields["ProducerId"]), epoch, row)
        return None


def _listed(taken: Observation, partitions: str) -> Iterator[Observation]:
    """Yield the partitions on the list of a transaction that `describe` shows."""
    if taken[0] == "transaction":
        for match in filter(None, map(_NAME.fullmatch, partitions.split(","))):
            yield ("transaction_partition", match[1], within(int(match[2]), "int"), *taken[3:])


def _described(text: str) -> Observation | None:
    """Take a line of `kafka-topics.sh --describe`."""
    topic = _TOPIC.match(text)
    if topic:
        return ("partition_count", topic[1], None, None, within(int(topic[2]), "int"), None, text.strip())
    match = _PARTITION.match(text)
    if match is None:
        return None
    leader = None if match[3] == "none" else int(match[3])
    rest = re.sub(r"\s+", " ", match[4]).strip()
    return ("partition_leader", match[1], within(int(match[2]), "int"), None, leader, None, rest)


def _group_row(text: str, pattern: re.Pattern[str]) -> Observation | None:
    """Take a row of `kafka-consumer-groups.sh --describe`."""
    match = pattern.fullmatch(text.rstrip())
    if match is None:
        return None
    offset = within(int(match[4]), "bigint") if match[4] != "-" else None
    row = re.sub(r"\s+", " ", text).strip()
    return ("group_position", match[2], within(int(match[3]), "int"), match[1].strip(), offset, None, row)


def _option(command: str, name: str) -> str | None:
    match = re.search(_OPTION.format(name), command)
    return (match[1] or match[2] or match[3]) if match else None


def _integer(text: str | None, kind: str = "bigint") -> int | None:
    return within(int(text), kind) if text and re.fullmatch(r"-?\d{1,19}", text) else None
