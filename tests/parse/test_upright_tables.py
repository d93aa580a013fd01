r"""Tables that stand upright, as psql's \x, pages and tickets show one row, and numbers with marks between thousands."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_other_tools import read, told

HANGING = {
    "Topic": "orders",
    "Partition": "3",
    "ProducerId": "5017",
    "ProducerEpoch": "0",
    "CoordinatorEpoch": "21",
    "StartOffset": "88123",
    "LastTimestamp": "1650000000000",
    "Duration(min)": "3021",
}
DESCRIBED = {
    "CoordinatorId": "1",
    "TransactionalId": "pay-1",
    "ProducerId": "5000",
    "ProducerEpoch": "1",
    "TransactionState": "Ongoing",
    "TransactionTimeoutMs": "60000",
    "CurrentTransactionStartTimeMs": "1789880852483",
    "TransactionDurationMs": "17260",
    "TopicPartitions": "orders-0,orders-1",
}
FORMS = {
    "padded": "{0:<32}{1}",
    "tab": "{0}\t{1}",
    "colon": "{0}: {1}",
    "psql": "{0:<18} | {1}",
    "Markdown": "| **{0}** | `{1}` |",
    "quoted": "> {0:<32}{1}",
    "empty lines": "{0:<32}{1}\n",
}


def upright(table: dict[str, str], form: str) -> str:
    return "".join(FORMS[form].format(*column) + "\n" for column in table.items())


@pytest.mark.parametrize("form", FORMS)
def test_a_hanging_transaction(tmp_path, form):
    text = f"-[ RECORD 1 ]-----+--------\n{upright(HANGING, form)}-[ RECORD 2 ]-----+--------\n"
    text += upright(HANGING | {"Partition": "4", "StartOffset": "12"}, form)
    facts = read(tmp_path, text)
    assert told(facts["answers"], "asked topic partition producer_id first_offset last_ms") == [
        ("find_hanging", "orders", 3, 5017, 88123, 1_650_000_000_000),
        ("find_hanging", "orders", 4, 5017, 12, 1_650_000_000_000),
    ]
    assert not facts["unparsed_lines"]


@pytest.mark.parametrize("form", FORMS)
def test_a_transaction(tmp_path, form):
    command = "$ kafka-transactions.sh --bootstrap-server b:9092 describe --transactional-id pay-1\n"
    facts = read(tmp_path, command + upright(DESCRIBED, form) + "\nThanks\n")
    assert told(facts["answers"], "asked transactional_id producer_id producer_epoch state timeout_ms partitions") == [
        ("describe_transaction", "pay-1", 5000, 1, "Ongoing", 60_000, ["orders-0", "orders-1"])
    ]


@pytest.mark.parametrize("missing", [*HANGING])
def test_one_that_lacks_a_column_is_not_read(tmp_path, missing):
    text = upright({name: value for name, value in HANGING.items() if name != missing}, "padded")
    facts = read(tmp_path, "Topic: orders  PartitionCount: 4  ReplicationFactor: 1\n" + text)
    assert not facts["answers"] or missing == "CoordinatorEpoch"  # which the first releases do not print


@pytest.mark.parametrize(
    ("name", "value"),
    [("Partition", "three"), ("ProducerId", "-"), ("StartOffset", "88123 or so"), ("Topic", "my topic")],
)
def test_one_with_another_kind_of_value_is_not_read(tmp_path, name, value):
    text = upright(HANGING | {name: value}, "padded")
    facts = read(tmp_path, "Topic: orders  PartitionCount: 4  ReplicationFactor: 1\n" + text)
    assert not facts["answers"]


GROUP = "GROUP\tTOPIC\tPARTITION\tCURRENT-OFFSET\tLOG-END-OFFSET\tLAG\n"


@pytest.mark.parametrize(
    "numbers",
    ["1,088,123\t1,099,000\t10,877", "1.088.123\t1.099.000\t10.877", "1 088 123\t1 099 000\t10 877",
     "1\u202f088\u202f123\t1\u202f099\u202f000\t10\u202f877", "1,088,123\t1,099,000\t10877"],
)  # fmt: skip
def test_positions_with_marks_between_thousands(tmp_path, numbers):
    facts = read(tmp_path, f"{GROUP}readers\torders\t3\t{numbers}\n")
    assert told(facts["observations"], "name topic partition number") == [("readers", "orders", 3, 1_088_123)]


@pytest.mark.parametrize(
    "numbers", ["1.088\t1.099\t0.011", "1,088,123\t1,099,000\t10,878", "1,088\t-\t-", "1,08,123\t1,099,000\t10,877"]
)
def test_numbers_that_the_lag_does_not_confirm(tmp_path, numbers):
    facts = read(tmp_path, f"{GROUP}readers\torders\t3\t{numbers}\n")
    assert not facts["observations"]


@pytest.mark.parametrize(
    ("printed", "offset"),
    [("1,193,596,434", 1_193_596_434), ("1.193.596.434", 1_193_596_434), ("1 193 596 434", 1_193_596_434)],
)
def test_offsets_of_a_hanging_transaction(tmp_path, printed, offset):
    row = "\t".join((HANGING | {"StartOffset": printed}).values())
    facts = read(tmp_path, "\t".join(HANGING) + f"\n{row}\n")
    assert told(facts["answers"], "producer_id first_offset") == [(5017, offset)]


def test_what_may_be_a_fraction_is_no_offset(tmp_path):
    row = "\t".join((HANGING | {"StartOffset": "1.193"}).values())
    facts = read(tmp_path, "\t".join(HANGING) + f"\n{row}\n")
    assert told(facts["answers"], "producer_id first_offset") in ([], [(5017, None)])


STATE = (
    "pay-{0}::TransactionMetadata(",
    "transactionalId=pay-{0},",
    "producerId=77,",
    "producerEpoch=3,",
    "txnTimeoutMs=60000,",
    "state=Ongoing,",
    "pendingState=None,",
    "topicPartitions=HashSet(",
    "orders-3,",
    "orders-4",
    "),",
    "txnStartTimestamp=1716642854560,",
    "txnLastUpdateTimestamp=1716642854570",
    ")",
)


@pytest.mark.parametrize("indent", ["  ", "", "\t"])
@pytest.mark.parametrize(
    "above", ["", "[2024-05-25 13:14:14,560] INFO [KafkaServer id=1] started (kafka.server.KafkaServer)\n"]
)
def test_records_of_the_console_that_stand_upright(tmp_path, indent, above):
    text = above + "".join(f"\n{indent}".join(STATE).format(number) + "\n" for number in range(2))
    facts = read(tmp_path, text, "console")
    assert told(facts["coordinator_states"], "transactional_id producer_id producer_epoch state partitions") == [
        (f"pay-{number}", 77, 3, "Ongoing", ["orders-3", "orders-4"]) for number in range(2)
    ]


@pytest.mark.parametrize("missing", range(1, len(STATE)))
def test_a_record_that_lacks_a_line_tells_nothing_else(tmp_path, missing):
    lines = [line for at, line in enumerate(STATE) if at != missing]
    facts = read(tmp_path, "\n".join(lines).format(0) + "\nother::NULL\n", "console")
    whole = ("pay-0", 77, 3, "Ongoing", ["orders-3", "orders-4"])
    seen = told(facts["coordinator_states"], "transactional_id producer_id producer_epoch state partitions")
    assert [row for row in seen if row[0] != "other"] in (
        [],
        [whole],
        [(*whole[:4], ["orders-4"])],
        [(*whole[:4], ["orders-3"])],
    )
