"""Tables as pages and tickets show them: between bars, retyped by a program that reads pictures, and of old tools."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_other_tools import read, told

HEAD = "Topic Partition ProducerId ProducerEpoch CoordinatorEpoch StartOffset LastTimestamp Duration(min)".split()
ROW = "orders 3 5017 0 21 88123 1650000000000 3021".split()
RULE = "|:---|---:|:-:|---|---|---|---|---|"
FRAME = "+-------+---+------+---+----+-------+---------------+------+"


def barred(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


@pytest.mark.parametrize(
    "lines",
    [
        [barred(HEAD), RULE, barred(ROW)],
        [" | ".join(HEAD), "---|---|---|---|---|---|---|---", " | ".join(ROW)],
        ["||" + "||".join(HEAD) + "||", "|" + "|".join(ROW) + "|"],
        [FRAME, barred(HEAD), FRAME, barred(ROW), FRAME],
        ["> " + barred(HEAD), "> " + RULE, "> " + barred(ROW)],
        [barred([f"**{name}**" for name in HEAD]), RULE, barred([f"`{cell}`" for cell in ROW])],
        [",".join(HEAD), ",".join(ROW)],
        [";".join(f'"{name}"' for name in HEAD), ";".join(ROW)],
        ["> " + ", ".join(HEAD), "> " + ", ".join(ROW)],
        [" ".join(HEAD).replace("Id", "ld"), " ".join(ROW)],
        [" ".join(HEAD).replace("Id", "1d"), " ".join(ROW)],
    ],
    ids=[
        "markdown",
        "without the outer bars",
        "jira",
        "framed",
        "quoted",
        "marked",
        "csv",
        "csv of a spreadsheet",
        "csv, quoted",
        "picture l",
        "picture 1",
    ],
)
def test_a_table_of_hanging_transactions(tmp_path, lines):
    facts = read(tmp_path, "Look:\n" + "\n".join(lines) + "\nThanks\n")
    names = "asked topic partition producer_id producer_epoch coordinator_epoch first_offset last_ms"
    assert told(facts["answers"], names) == [("find_hanging", "orders", 3, 5017, 0, 21, 88123, 1_650_000_000_000)]
    assert not [row for row in facts["unparsed_lines"] if "Producer" in row["text"] or "5017" in row["text"]]


@pytest.mark.parametrize(
    "text",
    [
        "Group   Topic     Pid Offset   logSize   Lag     Owner\nreaders payments  2   4711     981234    976523  none\n",
        "| GROUP | TOPIC | PARTITION | CURRENT-OFFSET | LAG |\n|---|---|---|---|---|\n| readers | payments | 2 | 4711 | 976523 |\n",
    ],
)
def test_positions_of_a_group(tmp_path, text):
    facts = read(tmp_path, text)
    assert told(facts["observations"], "observed topic partition name number") == [
        ("group_position", "payments", 2, "readers", 4711)
    ]
    assert not facts["unparsed_lines"]


def test_other_tables_between_commas(tmp_path):
    text = (
        "CoordinatorId,TransactionalId,ProducerId,ProducerEpoch,TransactionState,TransactionTimeoutMs,"
        "CurrentTransactionStartTimeMs,TransactionDurationMs,TopicPartitions\n"
        '1,pay-1,5017,0,Ongoing,60000,1650000000000,3021,"orders-0,orders-3"\n'
        "Thanks, Bob, see you\n"
        "GROUP,TOPIC,PARTITION,CURRENT-OFFSET,LOG-END-OFFSET,LAG\nreaders,payments,2,4711,981234,976523\n"
    )
    facts = read(tmp_path, text)
    assert told(facts["answers"], "asked transactional_id state partitions") == [
        ("describe_transaction", "pay-1", "Ongoing", ["orders-0", "orders-3"])
    ]
    assert ("group_position", "payments", 2, "readers", 4711) in told(
        facts["observations"], "observed topic partition name number"
    )


@pytest.mark.parametrize("before", ["", barred(HEAD) + "\n" + RULE + "\n" + barred(ROW) + "\n\n"])
def test_the_pipes_of_a_command_are_no_bars(tmp_path, before):
    """A dump that went through grep and head is an excerpt."""
    command = "$ bin/kafka-dump-log.sh --files /d/t-0/00000000000000000000.log | grep producerId | head -1\n"
    batch = (
        "baseOffset: 0 lastOffset: 0 count: 1 baseSequence: 0 lastSequence: 0 producerId: 8 producerEpoch: 0 "
        "partitionLeaderEpoch: 0 isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty "
        "position: 0 CreateTime: 12 size: 70 magic: 2 compresscodec: none crc: 9 isvalid: true\n"
    )
    facts = read(tmp_path, before + command + batch, "dump")
    [section] = [one for one in facts["sections"] if one["batches"]]
    assert (section["dumped_topic"], section["ending"]) == ("t", "excerpt")


def test_a_row_that_lacks_a_cell_is_not_read(tmp_path):
    facts = read(tmp_path, "\n".join([barred(HEAD), RULE, barred(ROW[:5] + ROW[6:])]) + "\n")
    assert not facts["answers"]
    assert [row["line"] for row in facts["unparsed_lines"]] == [3]
