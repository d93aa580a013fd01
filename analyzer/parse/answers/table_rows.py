r"""Reads a row of a tool that asks brokers about transactions: kafka-transactions.sh of any version, rpk, kcl.

TransactionalId Coordinator ProducerId  TransactionState
CoordinatorId   TransactionalId ProducerId  ProducerEpoch   TransactionState    TransactionTimeoutMs    ...
ProducerId  ProducerEpoch   LatestCoordinatorEpoch  LastSequence    LastTimestamp   CurrentTransactionStartOffset
Topic   Partition   ProducerId  ProducerEpoch   CoordinatorEpoch    StartOffset LastTimestamp   Duration(min)
COORDINATOR  TRANSACTIONAL-ID  PRODUCER-ID  STATE                                                           (rpk)
LEADER  TOPIC  PARTITION  PRODUCER-ID  PRODUCER-EPOCH  LAST-TIMESTAMP  ...  TXN-START-OFFSET  ERROR         (rpk)
BROKER  TRANSACTIONAL-ID  PRODUCER-ID  STATE  ERROR                                                         (kcl)
TOPIC  PARTITION  ERROR  ID  EPOCH  LAST-SEQUENCE  LAST-TIMESTAMP  COORDINATOR-EPOCH  TXN-START-OFFSET       (kcl)

kafka-transactions.sh pads its cells and ends each with a tab, rpk and people who tidy up pad with spaces.

{"broker":1,"transaction_id":"pay-1","producer_id":5017,"state":"Ongoing"}            (rpk --format json, and others)
{"partition":3,"producerId":5017,...}             (activeproducers of kafbat UI; `listResponse` of rpk is the source)
"""

import datetime
import re

from analyzer.kafka.topics import TOPIC_NAME
from analyzer.parse.rows import within

Answer = dict[str, object]
"""A row of `answers`, by column, without its place in the file."""

_HEAD = re.compile(r"[A-Za-z][A-Za-z1]*(?:[ _-][A-Za-z]+){0,4}(\((?:min|s|ms)\)?)?(?:\u2026|\.{3})?")
"""A cell of a header, perhaps cut."""
_CUT = ("\u2026", "...")
_NAMES = {
    "topic": "topic",
    "partition": "partition",
    "producerid": "producer_id",
    "producerepoch": "producer_epoch",
    "coordinatorepoch": "coordinator_epoch",
    "latestcoordinatorepoch": "coordinator_epoch",
    "lastsequence": "last_sequence",
    "lasttimestamp": "last_ms",
    "lasttimestampms": "last_ms",
    "leader": "leader",
    "startoffset": "first_offset",
    "currenttransactionstartoffset": "first_offset",
    "currenttxnstartoffset": "first_offset",
    "txnstartoffset": "first_offset",
    "transactionstartoffset": "first_offset",
    "transactionid": "transactional_id",
    "transactionalid": "transactional_id",
    "coordinator": "coordinator",
    "coordinatorid": "coordinator",
    "broker": "coordinator",
    "transactionstate": "state",
    "state": "state",
    "transactiontimeoutms": "timeout_ms",
    "timeoutms": "timeout_ms",
    "timeout": "timeout",
    "currenttransactionstarttimems": "started_ms",
    "starttimestamp": "started_ms",
    "transactionstarttimems": "started_ms",
    "transactiondurationms": "duration_ms",
    "agems": "duration_ms",
    "durationmin": "duration_min",
    "durations": "duration_s",
    "topicpartitions": "partitions",
    "topics": "topics",
    "error": "error",
    "message": "message",
}
"""What tools call a column, in lower case and without punctuation, and what it is here."""
_INTEGERS = {"partition": "int", "producer_id": "bigint", "producer_epoch": "int", "coordinator_epoch": "int",
             "coordinator": "int", "timeout_ms": "bigint", "first_offset": "bigint"}  # fmt: skip
_NUMBERS = ("partition", "coordinator", "producer_epoch")
"""Columns that are never anything else: a row where they are is cut, or lacks a cell."""
_SHORT = {"id": "producer_id", "epoch": "producer_epoch"}
"""What kcl calls these in its table of producers; elsewhere the words mean other things."""
_TOPIC = re.compile(TOPIC_NAME)
_PARTITION = re.compile(rf"{TOPIC_NAME}-\d{{1,10}}")
_LISTED = re.compile(rf"({TOPIC_NAME})\[([\d; ]*)\]")
_OF_KCL = re.compile(rf"{TOPIC_NAME}:[\d,]+(?:;{TOPIC_NAME}:[\d,]+)*")
"""How newer kcl lists partitions: `orders:0,3;payments:1`."""
_SPAN = re.compile(r"(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})(?:\.\d+)?s)?")
_WHOLE = re.compile(r"-?(?:\d{1,19}|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:([.' ])\d{3})(?:\1\d{3})+)")
_GROUPS = re.compile(r"[,.' ]")
"""What spreadsheets and pages put between thousands: of dots and spaces one alone may be something else."""
_LEAST_COLUMNS = 3
_NOTHING_OPEN = frozenset({"", "none", "-", "null", "n/a", "nan"})
"""What stands in the place of a start offset where no transaction is open: another word is one that cannot be read."""
_AROUND_WORD = re.compile(r"^[\W_]+|[\W_]+$")
"""Marks that a page puts around a word."""


def _alike(text: str) -> str:
    """Return the letters of a word as a program may take them that reads a picture: `Producerld`, `Producer1d`."""
    return re.sub(r"[^a-z]", "", re.sub(r"[l1|]", "i", text.lower()))


_LOOKING_ALIKE = {_alike(name): meaning for name, meaning in _NAMES.items()}


def header_of(text: str) -> tuple[str, ...] | None:
    """Return the columns of a table about transactions, "" for one that is not read; None for any other line."""
    headers = (columns(cells) for cells in _splits(text) if all(map(_HEAD.fullmatch, cells)))
    return max(filter(is_header, headers), key=len, default=None)


def answer_of(header: tuple[str, ...], text: str, place: tuple[str | None, int | None]) -> Answer | None:
    """Return what a row below the header answers; None for a line that is no such row.

    `place`: the partition that the command asked about, which describe-producers does not print.
    """
    given = _given(header, text)
    return None if given is None else answer_from(header, given, place, " ".join(text.split()))


def answer_from(
    header: tuple[str, ...], given: dict[str, str], place: tuple[str | None, int | None], text: str
) -> Answer | None:
    """Return what cells answer by column; None for what is no row of such a table."""
    numbers = {name: _integer(given[name]) for name in _INTEGERS if given.get(name)}
    if numbers.get("producer_id") is None or not _TOPIC.fullmatch(given.get("topic", "-")):
        return None
    # What is below stands after the minus of a diff; -1 is none, as the epoch of no coordinator.
    least = {"partition": 0, "producer_id": 0 if "first_offset" in header else -1}
    if any(name in _NUMBERS if one is None else one < least.get(name, -1) for name, one in numbers.items()):
        return None
    begins = given.get("first_offset") or ""
    if _integer(begins) is None and begins.strip("*_").lower() not in _NOTHING_OPEN:
        return None
    answer: Answer = {name: _integer(given.get(name), kind) for name, kind in _INTEGERS.items()}
    answer |= {name: given.get(name) or None for name in ("topic", "transactional_id", "state")}
    answer |= {name: _moment(given.get(name)) for name in ("last_ms", "started_ms")}
    asked = asked_of(header)
    if asked == "describe_producers" and "topic" not in header:
        answer["topic"], answer["partition"] = place
    if answer["state"]:
        answer["state"] = _AROUND_WORD.sub("", str(answer["state"])) or None
    answer["partitions"] = _partitions(given)
    if given.get("timeout"):
        answer["timeout_ms"] = _span_ms(given["timeout"])
    if (_integer(given.get("first_offset")) or 0) < 0:
        answer["first_offset"] = None
    return answer | {"asked": asked, "answered_ms": _answered(answer, given), "text": text}


def _given(header: tuple[str, ...], text: str) -> dict[str, str] | None:
    """Return the cells of a row by column; what stands empty leaves no cell where the columns are parted by spaces."""
    if "\t" not in text:
        header = tuple(name for name in header if name not in {"error", "message"})
    wanted = {len(header), len(header) - 1} if header[-1] in {"partitions", "topics"} else {len(header)}
    cells = next((cells for cells in _splits(text) if len(cells) in wanted), None)
    if cells is None:
        return None
    cells += [""] * (len(header) - len(cells))
    return {name: cell for name, cell in zip(header, cells, strict=True) if name}


def _partitions(given: dict[str, str]) -> list[str] | None:
    """Return topic-partition names; None where these are not all told: rpk lists topics alone, or a list is cut."""
    listed, topics = given.get("partitions"), given.get("topics")
    if listed is not None:
        names = listed.split(",") if listed else []
        return sorted(names) if all(map(_PARTITION.fullmatch, names)) else None
    if topics and _OF_KCL.fullmatch(topics):
        topics = re.sub(r":([\d,]+)", lambda match: f"[{match[1].replace(',', ';')}]", topics).replace("];", "],")
    found = _LISTED.findall(topics or "")
    if not topics or _LISTED.sub("", topics).strip(", "):
        return [] if topics == "" else None
    return sorted(f"{topic}-{number}" for topic, numbers in found for number in re.split(r"[; ]+", numbers) if number)


def _span_ms(text: str) -> int | None:
    """Return how long a duration of rpk's is, in ms: `1m0s`, `15m0s`, `1h0m0s`; in JSON `60000`."""
    if text.isdigit():
        return _integer(text)
    match = _SPAN.fullmatch(text)
    if match is None or not text:
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return (hours * 3600 + minutes * 60 + seconds) * 1000


def asked_of(header: tuple[str, ...]) -> str:
    """Return what a table with these columns answers, as in `asked` of `answers`."""
    if "first_offset" in header:
        return "find_hanging" if any(name.startswith("duration") for name in header) else "describe_producers"
    return "describe_transaction" if "producer_epoch" in header else "list_transactions"


def _answered(answer: Answer, given: dict[str, str]) -> int | None:
    """Return when the tool asked: the begin and the duration of a transaction, or the age of its last batch."""
    for name, since, unit_ms in (
        ("duration_ms", "started_ms", 1),
        ("duration_s", "last_ms", 1_000),
        ("duration_min", "last_ms", 60_000),
    ):
        lasts, begun = _integer(given.get(name)), answer[since]
        if lasts is not None and isinstance(begun, int) and begun > 0:
            return within(begun + lasts * unit_ms, "bigint")
    return None


def _splits(text: str) -> list[list[str]]:
    """Return the cells of a line: between tabs; else between two spaces or more, and between any."""
    line = text.strip("\r\n")
    if "\t" in line:
        cells = [cell.strip() for cell in line.split("\t")]
        return [cells if cells[-1] else cells[:-1]]
    return [re.split(r"\s{2,}", line.strip()), line.split()]


def columns(cells: list[str]) -> tuple[str, ...]:
    """Return what the columns of a table, or the names in a JSON object, are here, "" for one that is not read."""
    words = [re.sub(r"[^a-z]", "", cell.lower()) for cell in cells]
    names = [_meaning(word, cell) for word, cell in zip(words, cells, strict=True)]
    if "first_offset" in names and "producer_id" not in names:
        names = [name or _SHORT.get(word, "") for name, word in zip(names, words, strict=True)]
    return tuple(names)


def _meaning(word: str, cell: str) -> str:
    """Return what a column is, "" for one that is not read; of a cut name, if all that begin so mean the same."""
    if cell.endswith(_CUT):
        meant = {meaning for name, meaning in _NAMES.items() if name.startswith(word)}
        return meant.pop() if len(meant) == 1 else ""
    return _NAMES.get(word) or _LOOKING_ALIKE.get(_alike(cell), "")


def is_header(columns: tuple[str, ...]) -> bool:
    """Return whether these are the columns of a table about transactions."""
    named = [name for name in columns if name]
    about = "producer_id" in named and not {"state", "first_offset"}.isdisjoint(named)
    return about and len(named) >= _LEAST_COLUMNS and len(set(named)) == len(named)


def _integer(text: str | None, kind: str = "bigint") -> int | None:
    return within(int(_GROUPS.sub("", text)), kind) if text and _WHOLE.fullmatch(text) else None


def _moment(text: str | None) -> int | None:
    """Return a time in epoch ms, printed as such or as ISO 8601; None for -1, which stands for none."""
    number = _integer(text)
    if number is not None or not text:
        return None if number == -1 else number
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    return int(moment.timestamp() * 1000)
