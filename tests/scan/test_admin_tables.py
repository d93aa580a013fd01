"""An admin tool that has nothing to list prints only the header of its table: recognised, read, and nothing unparsed."""

import pytest

from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

HEADERS = {
    "list": "TransactionalId\tCoordinator\tProducerId\tTransactionState\t",
    "describe": "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\tTransactionTimeoutMs\t"
    "CurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions\t",
    "describe-producers": "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\t"
    "CurrentTransactionStartOffset\t",
    "find-hanging": "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\t"
    "Duration(min)\t",
    "groups": "GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID",
    "reset-offsets": "GROUP                          TOPIC                          PARTITION  NEW-OFFSET     ",
    "groups --state": "GROUP                     COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE           #MEMBERS",
    "groups --members": "GROUP           CONSUMER-ID     HOST            CLIENT-ID       #PARTITIONS     ",
    "streams groups": "GROUP           TOPIC           PARTITION  OFFSET-LAG     ",
    "streams groups --verbose": "GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LEADER-EPOCH  LOG-END-OFFSET  OFFSET-LAG",
    "share groups --verbose": "GROUP  TOPIC  PARTITION  LEADER-EPOCH  START-OFFSET  LAG",
    "groups of 1.0": "TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID",
}


@pytest.mark.parametrize("form", ["{}", "{}\n", "\n{}\r\n\r\n", "    {}\n", "$ kafka-transactions.sh list\n{}\n"])
@pytest.mark.parametrize("tool", HEADERS)
def test_only_its_header(tmp_path, tool, form):
    path = tmp_path / "pasted.txt"
    path.write_bytes(form.format(HEADERS[tool]).encode())
    capture = scan_capture(CaptureRequest((str(path),)))
    assert [file["file_kind"] for file in capture.files] == ["admin"]
    rows = [row for source in capture.sources() for batch in read_facts(source) for row in batch.to_pylist()]
    assert [(row["table"], row["kind"], row["batches"], row["ending"]) for row in rows] == [
        ("sections", "admin", 0, "complete")
    ]


def test_rows_of_a_table_that_observes_nothing(tmp_path):
    path = tmp_path / "pasted.txt"
    row = "enricher                  localhost:19132 (0)       -                    Empty           0"
    path.write_text(f"\nConsumer group 'enricher' has no active members.\n\n{HEADERS['groups --state']}\n{row}\n")
    capture = scan_capture(CaptureRequest((str(path),)))
    rows = [row for source in capture.sources() for batch in read_facts(source) for row in batch.to_pylist()]
    assert [row["table"] for row in rows] == ["sections"]


@pytest.mark.parametrize(
    ("header", "row", "position"),
    [
        ("streams groups", "word count      orders          3          17", []),
        ("streams groups --verbose", "word count  orders  3  5  0  22  17", [("word count", "orders", 3, 5)]),
        ("share groups --verbose", "word count  orders  3  -  5  17", [("word count", "orders", 3, 5)]),
    ],
)
def test_positions_of_other_kinds_of_groups(tmp_path, header, row, position):
    path = tmp_path / "pasted.txt"
    path.write_text(f"{HEADERS[header]}\n{row}\n")
    capture = scan_capture(CaptureRequest((str(path),)))
    rows = [row for source in capture.sources() for batch in read_facts(source) for row in batch.to_pylist()]
    assert [(row["name"], row["topic"], row["partition"], row["number"]) for row in rows[:-1]] == position
    kind = "share_position" if header.startswith("share") else "group_position"
    assert {row["observed"] for row in rows[:-1]} <= {kind}
    assert rows[-1]["table"] == "sections"
