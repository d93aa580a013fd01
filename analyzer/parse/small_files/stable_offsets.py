r"""Reads where a partition's LSO stands: tables of kcl and rpk, and two answers of kafka-get-offsets (RULES F 5).

BROKER  TOPIC   PARTITION  START  STABLE  END  ERROR                                (kcl topic list-offsets)
PARTITION  LEADER  EPOCH  REPLICAS  LOG-START-OFFSET  LAST-STABLE-OFFSET  HIGH-WATERMARK    (rpk topic describe -p)
orders:0:1042                                                                       (kafka-get-offsets)

rpk asks for the high watermark as read_committed readers do, and is given the LSO of a moment later: only its middle
column, which it prints if the two differ somewhere, tells something.
kafka-get-offsets does not say which of the two it was asked for: of two answers of the same brokers to
clients of another configuration, the later and lower one is the LSO. Any answer tells that the log reached its offset.
"""

import re

from analyzer.kafka.topics import TOPIC_NAME
from analyzer.parse.answers.told import Observation, log_end, stable_offset
from analyzer.parse.logs.line import LogLine

_KCL = re.compile(r"BROKER\s+TOPIC\s+PARTITION\s+START\s+STABLE\s+END\b.*")
_KCL_ROW = re.compile(
    rf"\d{{1,10}}\s+({TOPIC_NAME})\s+(\d{{1,10}})\s+\d{{1,19}}\s+(\d{{1,19}})\s+(\d{{1,19}})(?:\s.*)?"
)
_RPK = re.compile(
    r"PARTITION\s+LEADER\s+EPOCH\s+REPLICAS\b.*\bLOG-START-OFFSET\s+(LAST-STABLE-OFFSET\s+)?HIGH-WATERMARK"
)
_RPK_ROW = re.compile(r"(\d{1,10})\s+\d.*\s(\d{1,19})\s+(\d{1,19})\s+(\d{1,19})")
_RPK_TOPIC = re.compile(rf"NAME\s+({TOPIC_NAME})")
_RPK_COMMAND = re.compile(rf"\brpk\s+topic\s+(?:describe|info)\s+(?:-\S+\s+)*({TOPIC_NAME})(?:\s|$)")
_COMMITTED = re.compile(r"\bkcl\b.*\slist-offsets\b.*\s--committed\b")
"""kcl prints the LSO as the end then, too: what is equal tells nothing."""
_OFFSET = re.compile(rf"({TOPIC_NAME}):(\d{{1,10}}):(\d{{1,19}})")
_GET_OFFSETS = re.compile(r"kafka-get-offsets|GetOffsetShell")
_OTHER_TIME = re.compile(r"--time[= ]+(?!-1\b|latest\b)")
_CLIENT_CONFIG = re.compile(r"--(?:command-config|consumer\.config|consumer-property)[= ]+(\S+)")
_NOT_THE_WAY = re.compile(r"--(?:command-config|consumer\.config|consumer-property|time)[= ]+\S+|^\S{0,80}[$#>]\s")
"""What may differ between two questions to the same brokers about the same offsets."""
_MOST = 100_000
"""Partitions whose ends are remembered."""


def begins_offsets(text: str) -> bool:
    """Return whether a line is the header of a table that tells LSOs."""
    return bool(_KCL.fullmatch(text.strip()) or _RPK.fullmatch(text.strip()))


class StableOffsets:
    """What the lines before told: the command, the header, and the ends of partitions."""

    def __init__(self) -> None:
        """Begin without any."""
        self._table = ""
        self._topic: str | None = None
        self._asks_offsets = self._asks_ends = self._committed = False
        self._ends: dict[tuple[str, int], int] = {}
        self._command = ""
        """The last command, until a row answers it."""
        self._asked = ("", "")
        """The last command for ends, but for the configuration of the client, and that."""
        self._may_be_stable = False

    def see_command(self, command: str) -> None:
        """Take the command that the next lines answer."""
        topic = _RPK_COMMAND.search(command)
        self._topic = topic[1] if topic else None
        self._table = ""
        self._committed = _COMMITTED.search(command) is not None
        self._asks_offsets = bool(_GET_OFFSETS.search(command))
        self._asks_ends = self._asks_offsets and not _OTHER_TIME.search(command)
        self._command = command

    def _see_question(self, command: str) -> None:
        """Forget the ends that another way led to, and those that the same question got at another moment.

        Only a client that was configured can have been given the LSO.
        """
        config = found[1] if (found := _CLIENT_CONFIG.search(command)) else ""
        way = " ".join(_NOT_THE_WAY.sub(" ", command).split())
        self._may_be_stable = bool(config) and self._asked[0] == way and self._asked[1] != config
        if not self._may_be_stable:
            self._ends = {}
        self._asked = (way, config)

    def take(self, text: str) -> LogLine | Observation | bool:
        """Return what a line tells, True for one that is known to tell nothing, False for any other."""
        line = text.strip()
        rpk = _RPK.fullmatch(line)
        if rpk or _KCL.fullmatch(line):
            told = bool(rpk[1]) if rpk else not self._committed
            self._table = ("rpk" if rpk else "kcl") if told else "silent"
            return True
        if name := _RPK_TOPIC.fullmatch(line):
            self._topic = name[1]
            return False
        return self._row(line) if self._table else self._end(line)

    def _row(self, line: str) -> LogLine | bool:
        kcl = _KCL_ROW.fullmatch(line) if self._table == "kcl" else None
        if kcl:
            return stable_offset(kcl[1], int(kcl[2]), int(kcl[3]), int(kcl[4]), line)
        rpk = _RPK_ROW.fullmatch(line) if self._table == "rpk" else None
        if rpk and self._topic:
            return stable_offset(self._topic, int(rpk[1]), int(rpk[3]), None, line)
        return bool(rpk) or (self._table == "silent" and line[:1].isdigit())

    def _end(self, line: str) -> LogLine | Observation | bool:
        match = _OFFSET.fullmatch(line) if self._asks_offsets else None
        if match is None or not self._asks_ends:
            return match is not None
        if self._command:
            self._see_question(self._command)
            self._command = ""
        place, offset = (match[1], int(match[2])), int(match[3])
        before = self._ends.get(place)
        if self._may_be_stable and before is not None and offset < before:
            return stable_offset(*place, offset, before, line)
        if before is not None or len(self._ends) < _MOST:
            self._ends[place] = offset
        return log_end(*place, offset, line)
