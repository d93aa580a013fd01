"""State records and answers as people paste them: no name is left in the copy, and they say the same."""

import io
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from copies import copy_of

from analyzer.parse.reading import read_stream

FIELDS = "producerEpoch=1, txnTimeoutMs=60000, state=Ongoing, pendingState=None, "
TIMES = "txnStartTimestamp=1699766244914, txnLastUpdateTimestamp=1699766244915"
HEAD = "billing-app::TransactionMetadata(transactionalId=billing-app, producerId=15, "


def state(text: str) -> dict:
    """Return the one state of a console's output."""
    batches = read_stream(io.BytesIO(text.encode()), "console", "states.txt", "file")
    (row,) = [row for batch in batches for row in batch.to_pylist() if row["table"] == "coordinator_states"]
    return {**row, "byte_offset": None}


@pytest.mark.parametrize(
    "line",
    [
        f"{HEAD}{FIELDS}topicPartitions=HashSet(invoices-0, ledgers-1), {TIMES})",
        f"{HEAD}{FIELDS}{TIMES}, partitions=[invoices-0, ledgers-1])",
        f"{HEAD}{FIELDS}topicPartitions=[invoices-0], {TIMES}) // after ledgers was expanded",
    ],
)
def test_no_name_is_left(tmp_path, line):
    folder = tmp_path / "original"
    folder.mkdir()
    (folder / "states.txt").write_text(f"{line}\n", encoding="utf-8")
    copy = copy_of("console", folder, tmp_path / "copy")
    (made,) = [file for file in copy.folder.rglob("*.txt") if "TransactionMetadata" in file.read_text("utf-8")]
    text = made.read_text("utf-8")
    assert not [one for one in ("billing", "invoices", "ledgers") if one in text]
    old, new = (state(one) for one in (f"{line}\n", text))
    assert {**old, "transactional_id": None, "partitions": len(old["partitions"])} == {
        **new, "transactional_id": None, "partitions": len(new["partitions"])
    }  # fmt: skip


KCL = """__transaction_state partition 3 offset 5 at [2021-02-22 16:08:16.578]
TxnMetadataKey(0) billing-app
TxnMetadataValue(1)
      ProducerID                15
      ProducerEpoch             1
      TimeoutMillis             60000
      State                     Ongoing
      Topics                    __consumer_offsets=>[7] invoices=>[0 3] ledgers=>[1]
      LastUpdateTimestamp       1614035297012
      StartTimestamp            1614035297000
      PreviousProducerID        14
      ClientTransactionVersion  2

"""


def test_no_name_is_left_of_what_kcl_prints(tmp_path):
    folder = tmp_path / "original"
    folder.mkdir()
    (folder / "states.txt").write_text(KCL, encoding="utf-8")
    copy = copy_of("console", folder, tmp_path / "copy")
    (made,) = [file for file in copy.folder.rglob("*.txt") if "TxnMetadataKey" in file.read_text("utf-8")]
    text = made.read_text("utf-8")
    assert not [one for one in ("billing", "invoices", "ledgers") if one in text]
    old, new = (state(one) for one in (KCL, text))
    assert "__consumer_offsets-7" in new["partitions"]
    assert {**old, "transactional_id": None, "partitions": 4} == {
        **new, "transactional_id": None, "partitions": len(new["partitions"])
    }  # fmt: skip


OPEN = "producerId=15, producerEpoch=1, lastSequence=9, lastTimestamp=1699766244914"
ANSWERS = (
    "{billing-app=TransactionDescription(coordinatorId=1, state=Ongoing, producerId=15, producerEpoch=1, "
    "transactionTimeoutMs=60000, transactionStartTimeMs=OptionalLong[1699766244914], "
    "topicPartitions=[ledgers-1, invoices-0])}\n"
    f"{{invoices-0=PartitionProducerState(activeProducers=[ProducerState({OPEN}, coordinatorEpoch=OptionalInt[4], "
    "currentTransactionStartOffset=OptionalLong[87])])}\n"
    "[TransactionListing(transactionalId='billing-app', producerId=15, transactionState=Ongoing)]\n"
)
KCAT = """ 1 topics:
  topic "invoices" with 1 partitions:
    partition 0, leader 1, replicas: 1,2, isrs: 1
"""


def pasted(text: str, kind: str) -> list[dict]:
    """Return the answers and observations of a paste, without where they are."""
    rows = [row for batch in read_stream(io.BytesIO(text.encode()), kind, "a.txt", "f") for row in batch.to_pylist()]
    wanted = [row for row in rows if row["table"] in ("answers", "observations")]
    return [{**row, "byte_offset": None, "text": None} for row in wanted]


@pytest.mark.parametrize(("kind", "text", "count"), [("broker_log", ANSWERS, 3), ("admin", KCAT, 2)])
def test_no_name_is_left_of_what_programs_and_kcat_print(tmp_path, kind, text, count):
    folder = tmp_path / "original"
    folder.mkdir()
    (folder / "pasted.txt").write_text(text, encoding="utf-8")
    (made,) = copy_of("pasted", folder, tmp_path / "copy").folder.rglob("*.txt")
    new_text = made.read_text("utf-8")
    assert not [one for one in ("billing", "invoices", "ledgers") if one in new_text]
    old, new = pasted(text, kind), pasted(new_text, kind)
    named = dict.fromkeys(("transactional_id", "topic", "partitions"))
    assert [{**row, **named} for row in old] == [{**row, **named} for row in new]
    assert len(old) == count
    assert [len(row["partitions"] or ()) for row in old] == [len(row["partitions"] or ()) for row in new]


ADDRESSES = """$ kafka-transactions.sh --bootstrap-server 10.22.33.44:9092,kafka-10-22-33-44:9092 list
TransactionalId\tCoordinator\tProducerId\tTransactionState
billing-app\t0\t15\tOngoing
$ kafka-consumer-groups.sh --bootstrap-server [2001:db8:0:22:0:0:0:57]:9092 --describe --group ledgers
GROUP    TOPIC     PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID      HOST                      CLIENT-ID
ledgers  invoices  3          14              99              85   consumer-c1-7f5c /10.22.33.44              consumer-10.22.33.44-1
ledgers  invoices  4          14              99              85   consumer-c1-7f5c /2001:db8:0:22:0:0:0:57   consumer-c1
[2026-11-21 09:45:55,728] INFO [Producer clientId=p-1, transactionalId=billing-app] (kafka 0.11.0.3) ProducerId set to 15 with epoch 1 (org.apache.kafka.clients.producer.internals.TransactionManager)
"""


def test_no_address_is_left(tmp_path):
    """Addresses are numbers, and hosts all the same; times and releases are none, whatever their colons and dots."""
    folder = tmp_path / "original"
    (folder / "10.22.33.44").mkdir(parents=True)
    (folder / "pasted.txt").write_text(ADDRESSES, encoding="utf-8")
    (folder / "10.22.33.44" / "replication-offset-checkpoint").write_text("0\n1\ninvoices 0 44\n", encoding="utf-8")
    copy = copy_of("pasted", folder, tmp_path / "copy").folder
    (made,) = copy.rglob("*.txt")
    text = made.read_text("utf-8")
    assert not [one for one in ("22", "33", "2001", "db8", "57") if one in text]
    assert [path for path in copy.rglob("*") if "22" in path.name] == []
    assert "[2026-11-21 09:45:55,728]" in text
    assert "0.11.0.3" in text
    old, new = pasted(ADDRESSES, "admin"), pasted(text, "admin")
    kept = ("observed", "state", "producer_id", "partition", "number")
    assert [[row[name] for name in kept] for row in old] == [[row[name] for name in kept] for row in new]
    assert old
