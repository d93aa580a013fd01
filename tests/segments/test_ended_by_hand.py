"""An administrator aborts one partition of a running transaction, which is committed afterwards: half of it is lost."""

import struct

import pytest
from written import batch

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

START = 1_795_252_000_000
SECOND, MINUTE = 1_000, 60_000
ONGOING, PREPARE_COMMIT, COMPLETE_COMMIT = 1, 2, 4
MINE = {"producer_id": 200, "producer_epoch": 0}
RECORDS = [(b"k", b"v")] * 3


def data(offset, sequence, timestamp):
    return batch(offset, *RECORDS, flags=0x10, base_sequence=sequence, timestamp=timestamp, **MINE)


def marker(offset, timestamp, *, commit):
    record = (struct.pack(">hh", 0, commit), struct.pack(">hi", 0, 0))
    return batch(offset, record, flags=0x30, timestamp=timestamp, **MINE)


def state(offset, status, partitions, timestamp, begun):
    key = struct.pack(">hh", 0, 1) + b"x"
    listed = (
        struct.pack(">i", 1)
        + struct.pack(">h", 6)
        + b"orders"
        + struct.pack(f">i{len(partitions)}i", len(partitions), *partitions)
    )
    head = struct.pack(">hqhib", 0, 200, 0, MINUTE, status) + (listed if partitions else struct.pack(">i", 0))
    return batch(offset, (key, head + struct.pack(">qq", timestamp, begun)), timestamp=timestamp)


def states(*begun):
    """Whole transactions over both partitions: begun, decided a minute later, complete 10 ms after that."""
    steps = [
        (status, partitions, at + after, at)
        for at in begun
        for status, partitions, after in (
            (ONGOING, (0, 1), 0), (PREPARE_COMMIT, (0, 1), 50 * SECOND), (COMPLETE_COMMIT, (), 50 * SECOND + 10)
        )
    ]  # fmt: skip
    return b"".join(state(offset, *step) for offset, step in enumerate(steps))


def whole(begun):
    """A partition in which every transaction ends as it was decided."""
    parts = []
    for number, at in enumerate(begun):
        parts.append(data(4 * number, 3 * number, at + SECOND))
        parts.append(marker(4 * number + 3, at + 50 * SECOND + 5, commit=True))
    return b"".join(parts)


def capture(root, name, partition, begun):
    files = {"orders-0": partition, "orders-1": whole(begun), "__transaction_state-0": states(*begun)}
    for folder, content in files.items():
        path = root / name / "broker-1" / folder / f"{0:020d}.log"
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    toml = f"captured_at = {begun[-1] + 10 * MINUTE}\n[partition_counts]\n__transaction_state = 1\n"
    (root / name / "capture.toml").write_text(toml)
    return scan_capture(CaptureRequest((str(root / name),), name))


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    root = tmp_path_factory.mktemp("hand")
    first, second = START, START + 2 * MINUTE
    decided = second + 50 * SECOND + 5
    earlier = data(0, 0, first + SECOND) + marker(3, first + 50 * SECOND + 5, commit=True)
    end = marker(8, decided, commit=True)
    captures = [
        capture(root, "whole", whole((first, second)), (first, second)),
        capture(
            root, "ended", earlier + data(4, 3, second + SECOND) + marker(7, second + 20 * SECOND, commit=False) + end,
            (first, second),
        ),
        capture(
            root, "late", earlier + data(4, 3, first + 49 * SECOND) + marker(7, second + 20 * SECOND, commit=False) + end,
            (first, second),
        ),
    ]  # fmt: skip
    case = Case(spark, str(root / "case"))
    ingest(case, captures)
    return {one["capture"]["name"]: one for one in analyze(case, ["whole", "ended", "late"], Config())}


def test_what_was_aborted_by_hand_and_then_committed_is_torn(documents):
    (finding,) = documents["ended"]["findings"]
    assert (finding["code"], finding["confidence"], finding["partition"]) == ("TXN010", "likely", 0)
    assert (finding["first_offset"], finding["last_offset"], finding["readers"]["impact"]) == (4, 6, "lost_data")
    assert [one["position"] for one in finding["evidence"] if "orders-0" in one["file"]] == [166, 254]


@pytest.mark.parametrize("name", ["whole", "late"])
def test_what_was_committed_and_a_late_write_that_was_aborted_are_not(documents, name):
    """The late write was made while the transaction before ran: the administrator was right to abort it."""
    assert [one["code"] for one in documents[name]["findings"] if one["code"] == "TXN010"] == []
