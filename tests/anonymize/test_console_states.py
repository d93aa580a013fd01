"""State records as people paste them: no name is left in the copy, and they say the same."""

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
