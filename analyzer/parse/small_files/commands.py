r"""Reads commands of Kafka's tools as people paste them, for the partition that the table below answers about.

$ kafka-transactions.sh --bootstrap-server b:9092 describe-producers --topic orders --partition 1
[kafka@broker-1 kafka]$ bin/kafka-transactions.sh ... --topic 'orders' --partition=1
$ kubectl exec -n obs kafka-0 -- bash -c "unset JMX_PORT && /opt/kafka/bin/kafka-transactions.sh ... --topic orders"
docker exec kafka-1 /opt/kafka/bin/kafka-transactions.sh \
  --bootstrap-server kafka-1:19092 \
  describe-producers --topic orders --partition 1
PS C:\kafka\bin\windows> .\kafka-transactions.bat ...            (of cmd without the space; lines go on after ` or ^)
bob@mac kafka % bin/kafka-transactions.sh ...                     + kafka-transactions.sh ...  (sh -x)
"""

import re

from analyzer.kafka.pasting.characters import as_typed
from analyzer.kafka.pasting.labels import LOOP, Loop
from analyzer.kafka.reaching.reach import WAY, pasted
from analyzer.kafka.topics import TOPIC_NAME
from analyzer.kafka.wrapped_lines import unwrapped
from analyzer.parse.rows import within

Place = tuple[str | None, int | None]
Aborts = tuple[str, int, int | None, int | None]
"""Topic and partition of an aborted transaction, with its start offset, or with its producer id."""

_WINDOWS = r"(?:PS\s)?[A-Za-z]:\\[^<>|\n]{0,200}>"
_SIGN = (
    r"(?:\[[^\]\n]{1,80}\]\s?[$#%]|(?:(?:\[[^\]\n]{1,80}\]|\([\w.-]{1,80}\))\s?)?[\w.@~:/-]{0,80}[$#%]"
    r"|[\w.-]{1,80}@[\w.-]{1,80}\s[\w.~/-]{1,80}\s[$#%]|[\u276f\u03bb\u00bb]|Every [\d.]{1,8}s:"
    r"|\u279c(?:\s+\S{1,80}\sgit:\(\S{1,80}\)(?:\s\u2717)?)?|PS>|>)"
)
"""Prompts of shells: `[kafka@broker-1 kafka]$`, `(venv) bob:~/kafka$`, `bob@mac kafka %`, and what themes draw."""
_PROMPT = rf"(?:{_SIGN}\s+|{_WINDOWS}\s*)"
_TRACED = r"\++\s+"
"""What `sh -x` puts before a command that it runs."""
_BEFORE = re.compile(rf"\A(?:\s*(?:{_PROMPT}|{_TRACED})){{1,4}}")
_DATE = r"(?:TZ=\S{1,40}\s+)?date(?:\s+(?:-{1,2}[\w=-]{1,40}|/[tT]|['\"]?\+%[^'\"]{1,60}['\"]?))*"
_EMPTY = re.compile(rf"(?:{_SIGN}|{_WINDOWS})\s*|\s*(?:{_PROMPT})?{_DATE}\s*")
"""A prompt at which nothing was typed, or that asks for the time alone."""
_LAUNCHED = (
    r"(?:sudo|kubectl|oc|docker|podman|ssh|nerdctl|crictl|\.?/?(?:[\w.-]+/){0,20}bin/|/[\w.-]*/"
    r"|(?:[A-Za-z]:|\.|bin|windows)\\)"
)
_TOOL = (
    r"(?:kafka-[a-z-]+(?:\.sh|\.bat)?|kubectl-kafka|rpk|kcl|kafkactl|kcat|kafkacat|kafka\.admin|curl|confluent\s+kafka)"
)
_COMMAND = re.compile(
    rf"\s*(?:{_PROMPT}\S.*\b{_TOOL}\b(?!\s*\|)|{_PROMPT}{_TOOL}\b(?!\s*\|)"
    rf"|(?:{_TRACED})?(?:{_LAUNCHED}.*\b{_TOOL}\b|{_TOOL}\s+\S*-)|{LOOP}\b{_TOOL}\s+\S*-).*"
)
_OPTION = r"--{}[= ]+(?:'([^']*)'|\"([^\"]*)\"|(\S+))"
_EVERY_TOPIC = re.compile(
    r"kafka-topics(?:\.sh|\.bat)?\s(?!.*(?:--(?:topic|exclude|under|unavailable|at-min)|\|)).*--describe\b.*"
)
"""kafka-topics.sh --describe that leaves no topic out, and nothing that filters its answer."""
_DUMPS = re.compile(r"\bkafka-dump-log\b|\bDumpLogSegments\b")
_SCOPE = ("bootstrap-server", "broker-id", "topic", "partition", "max-transaction-timeout")
"""Options that tell what `find-hanging` looks at."""
_ASKS_PRODUCERS = re.compile(r"\bdescribe[- ]?producers?\b", re.IGNORECASE)
"""`describe-producers` of every tool: what others are asked about is not where its table's producers are."""
_ADDRESS = re.compile(
    rf"\bcurl\b.*/(?:v1/partitions/kafka/({TOPIC_NAME})/(\d{{1,9}})/transactions|topics/({TOPIC_NAME})/activeproducers)\b"
)
"""Where Redpanda's Admin API and kafbat UI are asked what is open: their answers do not name it."""
_ABORTS = re.compile(r"\bkafka-transactions(?:\.sh|\.bat)?\s(?:.*\s)?abort\s")
_TERMINATES = re.compile(r"\bkafka-transactions(?:\.sh|\.bat)?\s(?:.*\s)?forceTerminateTransaction\b")
_LISTED = re.compile(r"\s{0,6}\d{1,6}\*?\s{2}(?:[\d/:-]{8,20}\s){0,2}\s*")
"""What `history` puts before a command, which was typed at another time: nothing below answers it."""
_PERHAPS_QUOTED = re.compile(r"[\s>#]*")
"""A prompt of these signs alone may be a mark of quoting, or of a comment: nobody need have typed what follows."""
_TO_A_FILE = re.compile(r"(?<![2&])>")
_FILTERS = re.compile(r"(?:\bkafka-dump-log\b|\bDumpLogSegments\b).*?\|&?\s*(?!tee\b|cat\b)[\w./-]")
"""A dump that goes on into grep, head or another program: lines of it may be missing."""
_PIPED = re.compile(r"\bkafka-transactions\b.*?\|&?\s*(?!(?:tee|cat|column|less|more|nl)\b)[\w./-]")
"""An answer that goes on into grep, head or another program: rows of it may be missing, its header before all."""
_REORDERS = re.compile(r"\b(?:awk|gawk|cut|jq|paste|perl|python3?|sed)\b")
"""Programs that may print other columns, or in another order."""
_ASKED = {
    "list": "TransactionalId Coordinator ProducerId TransactionState",
    "find-hanging": "Topic Partition ProducerId ProducerEpoch CoordinatorEpoch StartOffset LastTimestamp Duration(min)",
    "describe-producers": "ProducerId ProducerEpoch LatestCoordinatorEpoch LastSequence LastTimestamp "
    "CurrentTransactionStartOffset",
    "describe": "CoordinatorId TransactionalId ProducerId ProducerEpoch TransactionState TransactionTimeoutMs "
    "CurrentTransactionStartTimeMs TransactionDurationMs TopicPartitions",
}
"""The headers that `kafka-transactions.sh` of 3.0 to 4.3 prints."""
_PROMPTED = re.compile(rf"\s*(?:{_PROMPT}){{1,4}}[\w./~-]")
_TYPED_IN = re.compile(r"(?:\[?[\w.-]{1,80}@[\w.-]{1,80}[: ])?(/[\w./-]{1,300})\]?[$#] ")
"""A prompt that names its folder: `root@broker-1:/data/orders-0# `."""
_GOES_ON = re.compile(r"(?:\\| [`^])$")
"""How the line of a command ends that goes on in the next one: in a shell, in PowerShell, in cmd."""
_CLIMBED = 20
"""Lines that one command may go on for."""
_WAYS = 20
"""Ways to the brokers that one file may show."""
_LONGEST = 2_000
"""Characters of a command that is read for its way to the brokers."""


class Commands:
    """The command above a table, perhaps on several lines: `place` is the partition that its options name.

    `every_topic` is the command if its last line was just taken and it describes all topics, otherwise None; `way` is
    a command that goes the same way to the brokers, if no command before went it.
    """

    def __init__(self, place: Place = (None, None)) -> None:
        """Begin with what the file's name tells."""
        self.place = place
        self.text = ""
        """The command so far, its lines joined."""
        self.ended = 0
        """How many commands there were, to their ends."""
        self.makes_dump = False
        """Whether the last command makes a dump and prints it."""
        self.filters = False
        """Whether it gives that dump to another program, which may leave lines out."""
        self.dumps: str | None = None
        """The path of the file that it dumps, None if it names several or none."""
        self.aborts: Aborts | None = None
        """The transaction that it aborts, None for any other command."""
        self.terminates: str | None = None
        """The transactional id whose transaction it has the coordinator end, None for any other command."""
        self.every_topic: str | None = None
        self.way: str | None = None
        self._ways = set[str]()
        self._lines: list[str] = []
        self._loop = Loop()

    @property
    def address(self) -> Place:
        """The topic, and perhaps partition, of whose open transactions an address asks."""
        found = _ADDRESS.search(self.text)
        return (None, None) if found is None else (found[1] or found[3], int(found[2]) if found[2] else None)

    @property
    def broker(self) -> int | None:
        """The replica that --broker-id asks, None for the leader."""
        number = _option(self.text, "broker-id")
        return within(int(number), "int") if number and number.isdigit() else None

    @property
    def scope(self) -> str:
        """What `find-hanging` was asked, the same for the same question; "" for another command."""
        asked = [f"--{name} {value}" for name in _SCOPE if (value := _option(self.text, name))]
        return " ".join(["find-hanging", *asked]) if "find-hanging" in self.text else ""

    @property
    def typed(self) -> bool:
        """Whether it stands at a prompt: one without may be what somebody proposes."""
        before = _BEFORE.match(self.text)
        return before is not None and _PERHAPS_QUOTED.fullmatch(before[0]) is None

    @property
    def piped(self) -> bool:
        """Whether another program got its answer, and may have left rows out."""
        return _PIPED.search(self.text) is not None

    @property
    def header(self) -> str:
        """The header that the program left out, "" where it is none of `kafka-transactions.sh`."""
        asked, _, programs = self.text.partition("|")
        words = asked.split() if self.piped and not _REORDERS.search(programs) else []
        return next((_ASKED[word] for word in words if word in _ASKED), "")

    def take(self, text: str) -> bool:
        """Take a line of a command; return whether it is one."""
        self.every_topic = self.way = None
        line = as_typed(text).rstrip()
        if not self._lines and (listed := _LISTED.match(line)) and is_command(line[listed.end() :]):
            self.text, self.place, self.aborts, self.terminates = "", (None, None), None, None
            self.way = self._new_way(line[listed.end() :])
            return True
        asks = is_command(line)
        looped = not self._lines and self._loop.take(_BEFORE.sub("", line, count=1), line, command=asks)
        self.text += self._loop.end
        if not self._lines and not asks:
            return looped or _EMPTY.fullmatch(line) is not None
        self._lines.append(_GOES_ON.sub("", line if self._lines else self._loop.whole(line)))
        self.text = command = " ".join(self._lines)
        topic, partition = _topic(command), _option(command, "partitions?")
        number = within(int(partition), "int") if partition and partition.isdigit() else None
        self.place = (topic, number) if topic and _ASKS_PRODUCERS.search(command) else (None, None)
        self.makes_dump = _DUMPS.search(command) is not None
        self.filters = _FILTERS.search(command) is not None
        self.dumps = _dumped(command) if self.makes_dump else None
        if not _GOES_ON.search(line) or len(self._lines) >= _CLIMBED:
            self._lines = []
            self.ended += 1
            every = _EVERY_TOPIC.search(command)
            self.every_topic = every[0] if every else None
            self.aborts = _aborted(command, topic, number)
            self.terminates = _option(command, "transactional-?[iI]d") if _TERMINATES.search(command) else None
            self.way = self._new_way(command)
        return True

    def _new_way(self, command: str) -> str | None:
        if len(self._ways) >= _WAYS or len(command) > _LONGEST:
            return None
        bare = _BEFORE.sub("", unwrapped(command), count=1)
        pieces = re.split(r"(?:;|\bdo\b)\s*", bare) if re.match(LOOP, bare) else [bare]
        reach = pasted(next((piece for piece in pieces if is_command(piece)), bare))
        way = reach.command(WAY) if reach else None
        if way is None or way in self._ways:
            return None
        self._ways.add(way)
        return way


def _dumped(command: str) -> str | None:
    """Return the path of the one file that a command dumps to its own output, with the folder of its prompt."""
    file = _option(command, "files")
    if file is None or "," in file or len(_DUMPS.findall(command)) > 1 or _TO_A_FILE.search(command):
        return None
    typed = _TYPED_IN.match(unwrapped(command))
    return f"{typed[1]}/{file}" if typed and not file.startswith("/") else file


def is_prompt(text: str) -> bool:
    """Return whether a line begins with a prompt at which something was typed."""
    return _PROMPTED.match(text) is not None


def is_command(text: str) -> bool:
    """Return whether a line is the first of a command."""
    return _COMMAND.fullmatch(text.rstrip()) is not None


def _aborted(command: str, topic: str | None, partition: int | None) -> Aborts | None:
    """Return what a command aborts: from `--start-offset` on, or (brokers before 2.8) of `--producer-id`."""
    if topic is None or partition is None or not _ABORTS.search(command):
        return None
    start, producer = (_number(command, name) for name in ("start-offset", "producer-id"))
    return (topic, partition, start, producer) if (start, producer) != (None, None) else None


def _number(command: str, name: str) -> int | None:
    text = _option(command, name)
    return within(int(text), "bigint") if text and text.isdigit() else None


def _topic(command: str) -> str | None:
    """Return the topic of a command; None for `$topic` of a shell or `<topic>` of who wrote it down."""
    topic = _option(command, "topics?")
    return topic if topic and re.fullmatch(TOPIC_NAME, topic) else None


def _option(command: str, name: str) -> str | None:
    match = re.search(_OPTION.format(name), command)
    return (match[1] or match[2] or match[3]).strip("'\"`*;)") if match else None
