"""Cells of answers that a spreadsheet or a page has changed: what cannot be read is no answer that nothing is open."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_other_tools import read, told

HEAD = "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\n"
ASKED = "$ kafka-transactions.sh --bootstrap-server b:9092 describe-producers --topic orders --partition 3\n"
DESCRIBED = (
    "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\tTransactionTimeoutMs\t"
    "CurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions\n"
)


@pytest.mark.parametrize("offset", ["9.13E+08", "548.171", "5,48171E+05", "########", "548171 (stuck)", "?"])
def test_a_start_that_cannot_be_read_is_no_idle_producer(tmp_path, offset):
    facts = read(
        tmp_path, f"{ASKED}{HEAD}1674\t2\t5\t49\t1716642854560\t{offset}\t\n1675\t0\t5\t9\t1716642854570\tNone\t\n"
    )
    assert told(facts["answers"], "producer_id first_offset") == [(1675, None)]
    assert [row["lines"] for row in facts["unparsed_lines"] if "1674" in row["text"]] == [1]


@pytest.mark.parametrize("nothing", ["None", "-", "-1", "", "**None**", "null"])
def test_what_says_that_nothing_is_open(tmp_path, nothing):
    facts = read(tmp_path, f"{ASKED}{HEAD}1675\t0\t5\t9\t1716642854570\t{nothing}\t\n")
    assert told(facts["answers"], "producer_id first_offset") == [(1675, None)]


@pytest.mark.parametrize(
    "state", ["`PrepareCommit`", "**PrepareCommit**", "PrepareCommit,", "_PrepareCommit_", "'PrepareCommit'"]
)
def test_marks_around_a_state(tmp_path, state):
    facts = read(tmp_path, f"{DESCRIBED}1\tpay-1\t5017\t0\t{state}\t60000\t1650000000000\t3021\torders-0\n")
    assert told(facts["answers"], "transactional_id state") == [("pay-1", "PrepareCommit")]


FOUND = "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\n"
HANGING = "orders\t3\t5017\t2\t7\t1042\t1789880852499\t310\n"


@pytest.mark.parametrize(
    ("head", "row"),
    [
        (FOUND.lower(), HANGING),
        (FOUND.lower().replace("\t", " "), HANGING.replace("\t", " ").replace("1042", "1,042")),
        (FOUND.replace("ProducerId", "Producer Id").replace("StartOffset", "Start Offset"), HANGING),
        (FOUND.replace("ProducerId", "producer_id").replace("StartOffset", "start_offset"), HANGING),
        (FOUND.replace("LastTimestamp", "LastTimest\u2026"), HANGING.replace("1789880852499", "17898808\u2026")),
        (FOUND.replace("LastTimestamp\tDuration(min)", "LastTim..."), HANGING.replace("1789880852499\t310", "178...")),
    ],
    ids=["lower case", "typed by hand", "words apart", "underlines", "cut", "cut with dots"],
)
def test_headers_as_people_type_and_pages_cut_them(tmp_path, head, row):
    facts = read(tmp_path, head + row)
    expected = [("orders", 3, 5017, 2, 1042)]
    assert told(facts["answers"], "topic partition producer_id producer_epoch first_offset") == expected


def test_a_cut_offset_is_none(tmp_path):
    head, row = FOUND.replace("StartOffset", "StartOff\u2026"), HANGING.replace("1042", "10\u2026")
    facts = read(tmp_path, head + HANGING + row)
    assert told(facts["answers"], "first_offset") == [(1042,)]
    assert [one["lines"] for one in facts["unparsed_lines"]] == [1]


def test_rows_without_what_stands_before_their_header_are_none(tmp_path):
    """Of a row that lacks its number the first cell must not be taken for one."""
    state = "1\tpay-1\t5017\t0\tOngoing\t60000\t1650000000000\t3021\torders-0\n"
    lines = [f"{at:6}  {line}" for at, line in enumerate((DESCRIBED + state).splitlines(), 1)]
    facts = read(tmp_path, "\n".join([*lines, state.rstrip()]) + "\n")
    assert told(facts["answers"], "transactional_id coordinator") == [("pay-1", 1)]
    assert [one["lines"] for one in facts["unparsed_lines"]] == [1]


def test_a_table_without_numbers_below_one_with_them(tmp_path):
    listed = "TransactionalId\tCoordinator\tProducerId\tTransactionState\n"
    first, second = listed + "12\t1\t5017\tOngoing\n", listed + "13\t2\t5018\tDead\n"
    numbered = "".join(f"{at:6}\t{line}\n" for at, line in enumerate(first.splitlines(), 1))
    for text in (numbered + second, second + numbered):
        found = sorted(told(read(tmp_path, text)["answers"], "transactional_id coordinator producer_id"))
        assert found == [("12", 1, 5017), ("13", 2, 5018)]


LISTED = "$ kafka-transactions.sh --bootstrap-server b:9092 list | grep {}\n"


def test_rows_whose_header_grep_left_out(tmp_path):
    rows = "pay-1          \t1          \t5017      \tOngoing         \t\npay-2 2 5018 PrepareCommit\n"
    facts = read(tmp_path, LISTED.format("-v Complete") + rows)
    assert told(facts["answers"], "transactional_id coordinator producer_id state") == [
        ("pay-1", 1, 5017, "Ongoing"),
        ("pay-2", 2, 5018, "PrepareCommit"),
    ]
    found = read(tmp_path, LISTED.format("orders").replace("list", "find-hanging --broker-id 1") + HANGING)
    assert told(found["answers"], "asked topic partition first_offset") == [("find_hanging", "orders", 3, 1042)]
    assert "asked_hanging" not in {row["observed"] for row in found["observations"]}


@pytest.mark.parametrize(
    "row", ["pay-1 5017 1 Ongoing x", "pay-1 Ongoing 5017 1", "12 Ongoing", "pay-1 one 5017 Ongoing"]
)
def test_other_lines_below_such_a_command_are_no_rows(tmp_path, row):
    facts = read(tmp_path, f"{LISTED.format('x')}pay-0 1 5016 Ongoing\n{row}\n")
    assert told(facts["answers"], "transactional_id") == [("pay-0",)]
    assert [one["lines"] for one in facts["unparsed_lines"]] == [1]


@pytest.mark.parametrize(
    ("label", "place"), [("=== orders-4 ===", (None, None)), ("orders-3 again:", ("orders", 3)), ("", ("orders", 3))]
)
def test_a_second_table_below_one_command(tmp_path, label, place):
    """What a line above it names another partition is not of the one that the command asked about."""
    row = "5017\t2\t7\t41\t1789880852499\t1042\n"
    facts = read(tmp_path, f"{ASKED}{HEAD}{row}{label}\n{HEAD}{row}")
    assert told(facts["answers"], "topic partition") == [("orders", 3), place]


def test_a_table_of_fewer_columns(tmp_path):
    """Its file was listed as not read."""
    facts = read(tmp_path, "TRANSACTIONAL-ID  PRODUCER-ID  STATE\npay-1  35001  Ongoing\n")
    expected = [("list_transactions", "pay-1", 35001, "Ongoing")]
    assert told(facts["answers"], "asked transactional_id producer_id state") == expected


@pytest.mark.parametrize("cells", ["-1674\t2\t5", "1674\t-2\t5", "1674\t2\t-5", "+1674\t2\t5"])
def test_the_old_row_of_a_diff_is_none(tmp_path, cells):
    """A minus before an id names no producer: nobody else's transaction is open there."""
    facts = read(
        tmp_path, f"{ASKED}{HEAD}{cells}\t49\t1716642854560\t548171\t\n1675\t0\t-1\t9\t1716642854570\tNone\t\n"
    )
    assert told(facts["answers"], "producer_id first_offset") == [(1675, None)]
    assert [row["lines"] for row in facts["unparsed_lines"]] == [1]
