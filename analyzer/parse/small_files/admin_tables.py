r"""Reads lines of tables that Kafka's admin tools print, with the command or file name that says what they are about.

    Topic: orders   TopicId: q6eP   PartitionCount: 4   ReplicationFactor: 1   Configs:
        Topic: orders   Partition: 0    Leader: 0   Replicas: 0 Isr: 0
    TransactionalId Coordinator ProducerId  TransactionState         (and other tables about transactions: `answers`)
    GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG     (and other tables: `positions`)
      topic "orders" with 4 partitions:                              (and who leads them: `kcat`, `kafkactl`)
    Feature: transaction.version   ...   (and other tools that describe a KRaft cluster, see `cluster_tools`)
    BROKER  TOPIC   PARTITION  START  STABLE  END  ERROR           (and other tables of offsets: `stable_offsets`)
    GROUP           COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE           #MEMBERS     (observes nothing)

The command above a table, or the file's name, tells the partition that describe-producers does not print.
"""

import re

from analyzer.kafka.pasting.broken_tables import looks_like_row
from analyzer.kafka.pasting.labels import labelled, labels_its_tables
from analyzer.parse.answers.table_rows import Answer, answer_of, asked_of, header_of
from analyzer.parse.answers.told import Observation
from analyzer.parse.rows import within
from analyzer.parse.small_files.cluster_tools import ClusterLines
from analyzer.parse.small_files.commands import Commands, is_command
from analyzer.parse.small_files.kafkactl import OtherTables
from analyzer.parse.small_files.kcat import KcatLines
from analyzer.parse.small_files.named_columns import NamedColumns, begins_columns
from analyzer.parse.small_files.positions import NamedAbove, position_of, row_pattern
from analyzer.parse.small_files.stable_offsets import StableOffsets, begins_offsets
from analyzer.parse.small_files.unstick import Unstick

_TOPIC = re.compile(r"\s*Topic:\s*(\S+)\s.*?PartitionCount:\s*(\d{1,10})\b")
_PARTITION = re.compile(r"\s*Topic:\s*(\S+)\s+Partition:\s*(\d{1,10})\s+Leader:\s*(-?\d{1,10}|none)\s*(.*)")
_FILE_PLACE = re.compile(r"(?:.*\.)?describe-producers[._-](.+?)-(\d{1,10})(?:\.[\w-]+)*")
_SILENT_HEADER = re.compile(
    r"GROUP\s+(?:COORDINATOR \(ID\)|CONSUMER-ID|MEMBER\s+PROCESS|TARGET-ASSIGNMENT-EPOCH\s+TOPOLOGY-EPOCH)\s.*"
    r"|TOPIC\s+PARTITION\s+CURRENT-OFFSET\b.*|GROUP\s+TOPIC\s+PARTITION\s+OFFSET-LAG"
)
"""Headers of kafka-consumer-groups.sh --state and --members, and of --describe before it named the group.

The last one is that of kafka-streams-groups.sh, which prints no position without --verbose.
"""
ASKED = ("asked_hanging", "asked_producers", "not_open", "terminated")
"""What the head of a table observes: what was asked, the replica of --broker-id, marks of quoting before it.

`not_open` is the leader's answer to an abort: the partition, and the offset from which it has nothing open, because
there was nothing, or because this abort ended it; or the producer id that has nothing open there. `terminated` is a
transactional id whose coordinator was told to end what it runs (KIP-939), and printed no error.
"""
_NOT_OPEN = re.compile(
    r"\s*Could not find any open transactions starting at offset (\d{1,19}) on partition "
    r"([A-Za-z0-9._-]{1,249})-(\d{1,10})\s*"
)
"""What `kafka-transactions.sh abort --start-offset` prints after it asked the leader which producers it has."""
_REFUSED = re.compile(
    r"\s*(?:Failed|Could not|Error|usage:|Missing|Timed out|at |\S{1,200}(?:Exception|Error)\b)", re.IGNORECASE
)
"""What an abort, or another command that ends a transaction, prints that did not end anything."""
_NAMES_PARTITION = re.compile(r"(?<![\w.-])(?=[\d._-]*[A-Za-z])([A-Za-z0-9._-]{1,249})-(\d{1,10})(?![\w.-])")
_LONGEST_LABEL = 120
SILENT = ("silent",)
"""The header of a table whose rows observe nothing."""
POSITIONS = ("positions",)
"""The header of a table of committed positions."""
Taken = Observation | Answer | bool
"""What a line says (with `says`, as a row of `log_lines`), True if it says nothing, False if it is not understood."""


def begins_table(text: str) -> bool:
    """Return whether a line is the header of a table, or the command that one answers."""
    header = header_of(text) or row_pattern(text) or _SILENT_HEADER.fullmatch(text.strip()) or begins_offsets(text)
    return bool(header) or begins_columns(text) or is_command(text)


class Tables:
    """The current table: its header, and the partition it is about."""

    def __init__(self, name: str) -> None:
        """Begin outside any table; the file's `name` may tell the partition."""
        match = _FILE_PLACE.fullmatch(name)
        self.commands = Commands((match[1], within(int(match[2]), "int")) if match else (None, None))
        self._header: tuple[str, ...] = ()
        self._ends: list[tuple[Observation, bool]] = []
        """What the last commands end, unless an error follows, and whether each was typed at a prompt."""
        self._ended: list[Observation] = []
        self._implied = False
        """Whether only its command tells the header, which another program left out: a row must look like one."""
        self._relabelled = False
        """Whether a line since the last table names another partition."""
        self._label = ""
        """The last line that is none of a table."""
        self._told_of = -1
        """The number of the command whose table was seen: another one below it is of nobody knows what."""
        self._positions: re.Pattern[str] | None = None
        self._group = NamedAbove()
        self._cluster = ClusterLines()
        self._unstick, self._kcat = Unstick(), KcatLines()
        self._stable, self._others, self._named = StableOffsets(), OtherTables(), NamedColumns()

    @property
    def way(self) -> Observation | None:
        """How the command that the last line ended reaches the brokers, if none before went that way."""
        way = self.commands.way
        return None if way is None else ("way", None, None, None, None, None, way)

    def ended(self, *, at_end: bool = False) -> list[Observation]:
        """Return once what commands ended that printed nothing, as those do that worked (see ASKED)."""
        told = self._ended + ([one for one, typed in self._ends if typed] if at_end else [])
        self._ended = []
        return told

    def _see_end(self, text: str, *, command: bool, ended: bool) -> None:
        """Take note of what ends a transaction: typed at a prompt, or in a paste without prompts among answers."""
        if self._ends and not command and _REFUSED.match(text):
            self._ends = []
        elif self._ends and (answers := not command and begins_table(text)) | command:
            self._ended += [one for one, typed in self._ends if typed or answers]
            self._ends = [] if answers else [one for one in self._ends if not one[1]]
        elif text.strip():
            self._ends = [one for one in self._ends if one[1]]
        if ended and (told := _ending(self.commands)):
            self._ends.append((told, self.commands.typed))

    def take(self, text: str) -> Taken:
        """Take the next line."""
        ended = self.commands.ended
        command = self.commands.take(text)
        self._see_end(text, command=command, ended=self.commands.ended > ended)
        if command:
            self._header = header_of(self.commands.header) or ()
            self._implied = bool(self._header)
            self._stable.see_command(self.commands.text)
            self._others.see_command(self.commands.text)
            every = self.commands.every_topic
            return ("all_topics", None, None, None, None, None, every) if every else True
        described = (
            self._unstick.take(text) or self._cluster.take(text) or _described(text) or _not_open(text)
            or self._kcat.take(text) or self._stable.take(text) or self._others.take(text)
            or self._named.take(text)
        )  # fmt: skip
        if described:
            return described
        positions = self._group.row_pattern(text)
        if positions:
            self._header, self._positions = POSITIONS, positions
            return True
        if self._group.take(text):
            self._header = ()
            return True
        if _SILENT_HEADER.fullmatch(text.strip()):
            self._header = SILENT
            return True
        header = header_of(text)
        if header:
            self._header, self._implied = header, False
            return self._head(header) or True
        taken = self._row(text) or (self._header == SILENT and bool(text.strip()))
        self._relabelled = self._relabelled or (not taken and self._names_another(text))
        self._label = self._label if taken or not text.strip() else text
        if not taken and labels_its_tables(self.commands.text):
            return labelled(self.commands.text, text) is not None
        return taken

    def _head(self, header: tuple[str, ...]) -> Observation | None:
        again, relabelled = self._told_of == self.commands.ended, self._relabelled
        self._relabelled = False
        label, self._label = self._label, ""
        if labels_its_tables(self.commands.text):
            self.commands.place = labelled(self.commands.text, label) or (None, None)
        elif again and relabelled:
            self.commands.place = (None, None)
        if again or self.commands.piped:
            return None
        self._told_of = self.commands.ended
        return head_of(header, self.commands)

    def _names_another(self, text: str) -> bool:
        """Return whether a line between tables names another partition than the command: the next one is of that."""
        topic, partition = self.commands.place
        named = _NAMES_PARTITION.findall(text) if partition is not None and len(text) < _LONGEST_LABEL else []
        return bool(named) and (topic, str(partition)) not in named

    def _row(self, text: str) -> Observation | Answer | None:
        header = self._header
        if header == POSITIONS and self._positions:
            return position_of(self._positions, self._group.whole(text))
        if self._implied and not looks_like_row(self.commands.header.split(), text):
            return None
        answer = answer_of(header, text, self.commands.place) if header and header != SILENT else None
        return answer | {"broker": self.commands.broker} if answer else None


def head_of(header: tuple[str, ...], commands: Commands) -> Observation | None:
    """Return the head of a table that tells all transactions of a partition, or all that find-hanging names."""
    asked, (topic, partition) = asked_of(header), commands.place
    if asked == "find_hanging" and commands.scope:
        return ("asked_hanging", None, None, None, commands.broker, None, commands.scope)
    if asked == "describe_producers" and "topic" not in header and topic is not None and partition is not None:
        return ("asked_producers", topic, partition, None, commands.broker, None, f"describe-producers {topic}")
    return None


def _ending(commands: Commands) -> Observation | None:
    """Return what a command ends if it works."""
    said = commands.text.strip()
    if commands.aborts:
        topic, partition, offset, producer = commands.aborts
        whose = str(producer) if offset is None else None
        return ("not_open", topic, partition, whose, offset, None, said)
    return ("terminated", None, None, commands.terminates, None, None, said) if commands.terminates else None


def _not_open(text: str) -> Observation | None:
    """Take what an abort answers where the leader has no transaction open from that offset."""
    match = _NOT_OPEN.fullmatch(text)
    if match is None:
        return None
    offset = within(int(match[1]), "bigint")
    return ("not_open", match[2], within(int(match[3]), "int"), None, offset, None, text.strip())


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
