"""Tables and states that mail, chat or a terminal broke at a width say what the unbroken ones say, and never anything else.

The texts are what kafka-transactions.sh, kafka-consumer-groups.sh and kafka-topics.sh of 3.9 and 4.1 print, tabs and
padding as they print them (TransactionsCommand, ConsumerGroupCommand, TopicCommand), and the console's formatters.
"""

import sys
import textwrap
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import rows_by_table
from test_broken_lines import without_places

from analyzer.errors import InputError
from analyzer.opening import read_line
from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest


def tabbed(*rows: str) -> str:
    """Return a table as ToolsUtils.prettyPrintTable prints it: cells padded to the column's width, a tab behind each."""
    cells = [row.split() for row in rows]
    widths = [max(len(row[at]) for row in cells if at < len(row)) for at in range(len(cells[0]))]
    return "".join(
        "".join(f"{row[at] if at < len(row) else '':<{width}}\t" for at, width in enumerate(widths)) + "\n"
        for row in cells
    )


HANGING = tabbed(
    "Topic Partition ProducerId ProducerEpoch CoordinatorEpoch StartOffset LastTimestamp Duration(min)",
    "app_logs_topic 3 4000 15937 514 1193596434 1747728095380 32825",
    "payments 0 5018 1 4 12 1650000000001 3020",
)
PRODUCERS = (
    "$ bin/kafka-transactions.sh --bootstrap-server broker-1.example:9092 describe-producers --topic orders --partition 1\n"
    + tabbed(
        "ProducerId ProducerEpoch LatestCoordinatorEpoch LastSequence LastTimestamp CurrentTransactionStartOffset",
        "6000 0 -1 2 1789880852483 None",
        "5000 3 7 9 1789880852499 1042",
    )
)
DESCRIBED = tabbed(
    "CoordinatorId TransactionalId ProducerId ProducerEpoch TransactionState TransactionTimeoutMs "
    "CurrentTransactionStartTimeMs TransactionDurationMs TopicPartitions",
    "1 txn-lab-producer-1 5000 1 Ongoing 60000 1789880852483 17260 orders-0,orders-1,payments-3",
)
EMPTY = tabbed(
    "CoordinatorId TransactionalId ProducerId ProducerEpoch TransactionState TransactionTimeoutMs "
    "CurrentTransactionStartTimeMs TransactionDurationMs TopicPartitions",
    "1 txn-lab-producer-1 5000 1 CompleteCommit 60000 None None",
)
LISTED = tabbed(
    "TransactionalId Coordinator ProducerId TransactionState",
    "a-transactional-id-that-flink-made-of-its-job-and-operator-0-17 1 5000 Ongoing",
    "pay-1 2 5001 CompleteCommit",
)
GROUPS = (
    "\nGROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID          "
    "                                 HOST            CLIENT-ID\n"
    "readers         orders          3          88123           99000           10877           "
    "consumer-readers-1-3fc8d6f1-bd6f-4a3b-8f0a-1f7a5b1b1d0e /10.0.0.97      consumer-readers-1\n"
    "readers         payments        0          -               12              -               -                    "
    "                                 -               -\n"
)
TOPICS = (
    "Topic: __transaction_state\tTopicId: Mux3wVx9Rf2g8UjHcGQz5A\tPartitionCount: 50\tReplicationFactor: 3\t"
    "Configs: min.insync.replicas=2,cleanup.policy=compact\n"
    "\tTopic: __transaction_state\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\tElr: N/A\tLastKnownElr: N/A\n"
    "\tTopic: __transaction_state\tPartition: 1\tLeader: none\tReplicas: 2,3,1\tIsr: 2\tElr: N/A\tLastKnownElr: N/A\n"
)
STATES = "".join(
    f"pay-{number}::TransactionMetadata(transactionalId=pay-{number}, producerId=500{number}, producerEpoch=3, "
    f"txnTimeoutMs=60000, state={state}, pendingState=None, topicPartitions=HashSet(orders-0, payments-1), "
    "txnStartTimestamp=1650000000000, txnLastUpdateTimestamp=1650000000100)\n"
    for number, state in enumerate(["Ongoing", "PrepareCommit", "CompleteAbort"])
)
COMMITS = (
    "[readers,orders,3]::OffsetAndMetadata(offset=88123, leaderEpoch=Optional[4], metadata=, "
    "commitTimestamp=1650000000000, expireTimestamp=None)\n"
)
OBJECTS = "".join(
    f'{{"key":{{"version":0,"data":{{"transactionalId":"pay-{number}"}}}},"value":{{"version":0,"data":'
    f'{{"producerId":500{number},"producerEpoch":3,"transactionTimeoutMs":60000,"transactionStatus":1,'
    '"transactionPartitions":[{"topic":"orders","partitionIds":[0,1]}],"transactionLastUpdateTimestampMs":1650000000100,'
    '"transactionStartTimestampMs":1650000000000}}}\n'
    for number in range(3)
)
TABLES = {
    "find-hanging": HANGING, "describe-producers": PRODUCERS, "describe": DESCRIBED, "describe an ended one": EMPTY,
    "list": LISTED, "consumer groups": GROUPS, "topics": TOPICS,
}  # fmt: skip
VALUES = {"states": STATES, "commits": COMMITS, "states in JSON": OBJECTS}
WIDTHS = [60, 64, 70, 72, 76, 78, 80, 100, 120, 132]
FACTS = ("answers", "observations", "coordinator_states", "offset_commits", "log_lines")


def read(tmp_path: Path, text: str) -> tuple[dict, list[str]]:
    path = tmp_path / "pasted.txt"
    path.write_text(text)
    try:
        [source] = scan_capture(CaptureRequest((str(path),))).sources()
    except InputError:  # nothing of it is left to be recognised
        return {name: [] for name in (*FACTS, "unparsed_lines")}, []
    facts = rows_by_table(read_facts(source))
    quoted = [read_line(path, row["byte_offset"], "", source.encoding) for table in FACTS for row in facts[table]]
    return facts, quoted


def at_words(text: str, width: int) -> str:
    """Break lines between words, as mail does: the spaces at a break are gone."""
    wrapped = [
        textwrap.wrap(line.expandtabs(8), width, break_long_words=False, break_on_hyphens=False) or [""]
        for line in text.splitlines()
    ]
    return "".join(f"{piece}\n" for pieces in wrapped for piece in pieces)


def at_columns(text: str, width: int) -> str:
    """Break lines after so many columns, as a terminal does that copies what it shows."""
    lines = [line.expandtabs(8).rstrip() for line in text.splitlines()]
    return "".join(f"{line[at : at + width].rstrip()}\n" for line in lines for at in range(0, len(line) or 1, width))


def told(facts: dict) -> dict[str, list[dict]]:
    """Return what was read, spaces as one each."""
    return {
        table: [row | {"text": " ".join((row.get("text") or "").split())} for row in without_places(facts[table])]
        for table in FACTS
    }


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("around", ["{}", "> {}", "    {}", "{}\n"], ids=["bare", "quoted", "indented", "empty lines"])
def test_a_table_that_mail_broke_says_the_same(tmp_path, table, width, around):
    broken = "".join(around.format(line) + "\n" for line in at_words(TABLES[table], width).splitlines())
    facts, quoted = read(tmp_path, f"Hi,\nthis is what it says:\n\n{broken}\nAny idea?\n")
    whole, lines = read(tmp_path, TABLES[table])
    assert told(facts) == told(whole)
    assert [quote.lstrip("> ").split() for quote in quoted] == [line.split() for line in lines]
    assert not [row for row in facts["unparsed_lines"] if row["reason"] == "no line of an admin tool"]


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("breaking", [at_words, at_columns])
@pytest.mark.parametrize("around", ["{}", "> {}"])
def test_what_the_formatters_print(tmp_path, name, width, breaking, around):
    broken = "".join(around.format(line) + "\n" for line in breaking(VALUES[name], width).splitlines())
    facts, _ = read(tmp_path, broken)
    assert told(facts) == told(read(tmp_path, VALUES[name])[0])
    assert not facts["unparsed_lines"]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_terminal_broke_it(tmp_path, table, width):
    """What a row says where a cell was broken is what it says whole, or nothing; a log end counts by its lag alone."""
    facts, _ = read(tmp_path, at_columns(TABLES[table], width))
    for name, rows in told(facts).items():
        whole = [without(row) for row in told(read(tmp_path, TABLES[table])[0])[name]]
        no_end = [row | {"other_number": None} for row in whole if row.get("observed") == "group_position"]
        assert all(without(row) in whole + no_end for row in rows)


def without(row: dict) -> dict:
    return {name: value for name, value in row.items() if name != "text"}


@pytest.mark.parametrize("name", TABLES | VALUES)
@pytest.mark.parametrize("breaking", [at_words, at_columns])
@pytest.mark.parametrize("width", [70, 72, 80, 120])
def test_a_line_that_is_missing_makes_no_other_row(tmp_path, name, breaking, width):
    """A row without its header's last line or its command says less, and nothing else."""
    text = (TABLES | VALUES)[name]
    known = {table: [without(row) for row in rows] for table, rows in told(read(tmp_path, text)[0]).items()}
    lines = breaking(text, width).splitlines()
    for left in (lines[:at] + lines[at + 1 :] for at in range(len(lines))):
        facts, _ = read(tmp_path, "Hi,\n" + "\n".join(left) + "\n")
        for table, rows in told(facts).items():
            for row in map(without, rows):
                says = {name: value for name, value in row.items() if value is not None and name != "asked"}
                assert any(all(one[key] == value for key, value in says.items()) for one in known[table]), (row, left)


def test_a_list_that_is_cut_tells_no_partitions(tmp_path):
    """A terminal broke the list within a name, or behind a comma: what is left of it is not all of it."""
    for cut in ("orders-0,orders-1,pay", "orders-0,orders-1,"):
        text = DESCRIBED.replace("orders-0,orders-1,payments-3", cut)
        [row] = read(tmp_path, text + "Sent from my phone\n")[0]["answers"]
        assert (row["state"], row["partitions"]) == ("Ongoing", None)


def test_a_row_wider_than_its_header_is_no_row_of_it(tmp_path):
    """Of a header whose second line is missing, 88123 is no partition."""
    head = "GROUP           TOPIC           PARTITION  CURRENT-OFFSET\n"
    facts, _ = read(tmp_path, f"{head}readers         orders          3          88123           99000\n")
    assert not facts["observations"]


def test_a_group_with_spaces_in_its_name(tmp_path):
    for gap in ("   ", " "):
        text = gap.join("GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG".split()) + "\n"
        text += gap.join(["the daily readers", "orders", "3", "88123", "99000", "10877"]) + "\n"
        [row] = read(tmp_path, text)[0]["observations"]
        assert (row["name"], row["topic"], row["partition"], row["number"]) == ("the daily readers", "orders", 3, 88123)


@pytest.mark.parametrize("after", ["Thanks!", "3021", "payments-1", "and 4 more"])
def test_what_follows_a_row_that_lacks_a_cell_is_no_part_of_it(tmp_path, after):
    row = "orders 3 5017 0 88123 1650000000000 3021"
    head = "Topic Partition ProducerId ProducerEpoch CoordinatorEpoch StartOffset LastTimestamp Duration(min)"
    facts, _ = read(tmp_path, f"{head}\n{row}\n{after}\n")
    assert not facts["answers"]
