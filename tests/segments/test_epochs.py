"""What producer epochs prove: whose transaction data is, where Prepare raises the epoch, and after a rotation."""

import pytest
from judged_together import judged_together
from written import batch, end_marker, state_record, written_capture

START = 1_795_252_000_000
SECOND, MINUTE = 1_000, 60_000
RECORDS = [(b"k", b"v")] * 3
NEXT, LATER = START + 20 * SECOND, START + 2 * MINUTE
OTHER = {"producer_id": 100, "producer_epoch": 0}
LAST = 32_767


def data(offset, epoch, at):
    return batch(
        offset, *RECORDS, flags=0x10, base_sequence=0, timestamp=at, producer_id=200, producer_epoch=epoch
    )  # fmt: skip


def marker(offset, epoch, at, *, commit):
    return end_marker(offset, commit=commit, timestamp=at, producer_id=200, producer_epoch=epoch)


def other(offset):
    """A later transaction of another producer, which shows that the copies are newer."""
    own = batch(offset, *RECORDS, flags=0x10, base_sequence=0, timestamp=LATER + 10, **OTHER)
    return own + end_marker(offset + 3, commit=True, timestamp=LATER + 105, **OTHER)


def of_other(offset):
    steps = (("Ongoing", (0,), LATER), ("PrepareCommit", (0,), LATER + 100), ("CompleteCommit", (), LATER + 110))
    return b"".join(
        state_record(offset + number, b"other", state, (100, 0), listed, timestamp=ms, begun=LATER)
        for number, (state, listed, ms) in enumerate(steps)
    )


def states(begun, epochs, end, *, client):
    """A transaction of x: epochs of its Ongoing and of its decision."""
    steps = (("Ongoing", (0,), 0), (f"Prepare{end}", (0,), 100), (f"Complete{end}", (), 110))
    return [
        (state, (200, epochs[number > 0]), listed, {"timestamp": begun + ms, "begun": begun, "client": client})
        for number, (state, listed, ms) in enumerate(steps)
    ]


def written(*records):
    told = [
        state_record(number, b"x", state, producer, listed, **given)
        for number, (state, producer, listed, given) in enumerate(records)
    ]
    return b"".join(told) + of_other(len(told))


def left(producer, **given):
    """What compaction leaves of a committed transaction of x."""
    times = {"timestamp": START + 110, "begun": START, "decided": START + 100}
    return written(("CompleteCommit", producer, (), times | given))


ENDED = data(0, 4, START + 50) + marker(3, 4, START + 105, commit=False)
INITIALIZED = ("Empty", (200, 5), (), {"timestamp": START + 5 * SECOND, "begun": -1, "client": 0})
FENCED = {
    # a batch of the producer before, which the partition accepts as long as nobody has written with epoch 5
    "slipped": data(4, 4, START + 60) + data(7, 5, NEXT + 50) + marker(10, 5, NEXT + 105, commit=True) + other(11),
    # an offset is missing, where the marker of epoch 4 may have been
    "hole": data(4, 4, START + 60) + data(8, 5, NEXT + 50) + marker(11, 5, NEXT + 105, commit=True) + other(12),
    "whole": data(4, 5, NEXT + 40) + data(7, 5, NEXT + 50) + marker(10, 5, NEXT + 105, commit=True) + other(11),
}
FILES = {
    name: (
        ENDED + log,
        written(
            *states(START, (4, 4), "Abort", client=0), INITIALIZED, *states(NEXT, (5, 5), "Commit", client=0)
        ),
    )
    for name, log in FENCED.items()
} | {
    # with transaction.version 2 the marker of epoch 3 ends data of epoch 2; data of epoch 3 is not of that transaction
    f"epoch {epoch} of {client}": (
        data(0, 2, START + 50) + marker(3, 3, START + 105, commit=True) + data(4, epoch, NEXT) + other(7),
        left((200, 3), client=client),
    )
    for epoch, client in ((2, 2), (3, 2), (3, 0))
} | {
    # made before the id's last transaction began, after a marker that did not raise the epoch, or did
    f"idle, {ended} then {after}": (
        data(0, ended, START + 50) + marker(3, after, START + 105, commit=True) + data(4, after, NEXT) + other(7),
        written(
            (
                "CompleteCommit", (200, last), (),
                {"timestamp": NEXT + 5_010, "begun": NEXT + 2_000, "decided": NEXT + 5_000, "client": client},
            )
        ),
    )
    for ended, after, last, client in ((3, 3, 3, 0), (2, 3, 4, 2))
} | {
    # compaction took the record of its begin: the epochs of the data alone tell
    "compacted": (ENDED + FENCED["slipped"], left((200, 5), client=0)),
    "compacted, hole": (ENDED + FENCED["hole"], left((200, 5), client=0)),
    # what is missing behind the data of the newer epoch was no marker of the older one
    "compacted, hole after": (
        ENDED + data(4, 4, START + 60) + data(7, 5, NEXT + 50) + marker(12, 5, NEXT + 105, commit=True) + other(13),
        left((200, 5), client=0),
    ),
    "of unknown id": (ENDED + FENCED["slipped"], written()),
    "rotated": (data(0, LAST - 1, START + 50) + other(3), left((201, 0), previous=200, client=2)),
    "rotated, late": (
        data(0, LAST - 1, START + 50) + marker(3, LAST, START + 105, commit=True) + data(4, LAST - 1, NEXT) + other(7),
        left((201, 0), previous=200, client=2),
    ),
}  # fmt: skip


@judged_together
def documents(root):
    for name, (log, told) in FILES.items():
        written_capture(root, name, {"orders-0": log, "__transaction_state-0": told}, LATER + 10 * MINUTE)
    files = {"orders-0": data(0, 2, START + 50) + other(4), "__transaction_state-0": left((200, 2), client=0)}
    written_capture(root, "cleaned", files, LATER + 10 * MINUTE)
    (root / "cleaned/broker-1/cleaner-offset-checkpoint").write_text("0\n1\norders 0 4\n")
    return {name: root / name for name in (*FILES, "cleaned")}


@pytest.mark.parametrize(
    ("name", "code", "confidence"),
    [
        ("slipped", "TXN011", "certain"),
        ("epoch 2 of 2", "TXN002", "certain"),
        ("epoch 3 of 2", "TXN013", "certain"),
        ("epoch 3 of 0", "TXN002", "certain"),
        ("rotated", "TXN013", "certain"),
        ("rotated, late", "TXN002", "certain"),
        ("idle, 3 then 3", "TXN002", "likely"),
        # with transaction.version 2 it is the next transaction's
        ("idle, 2 then 3", "TXN013", "certain"),
        # the cleaner passes nothing that is open for the broker: it took a marker, and the broker may know better
        ("cleaned", "TXN013", "likely"),
    ],
)
def test_epochs_tell_whose_data_it_is(documents, name, code, confidence):
    (finding,) = documents[name]["findings"]
    assert (finding["code"], finding["confidence"], finding["transactional_id"]) == (code, confidence, "x")
    assert "ABORT IT" not in finding["action"]["summary"]


def test_what_slipped_is_what_has_the_lower_epoch(documents):
    (finding,) = documents["slipped"]["findings"]
    assert (finding["first_offset"], finding["last_offset"], finding["readers"]["impact"]) == (4, 6, "wrong_data")
    assert "began with epoch 5" in finding["steps"][1]["text"]


@pytest.mark.parametrize(
    ("name", "who"), [("compacted", "x"), ("compacted, hole after", "x"), ("of unknown id", "producer 200")]
)
def test_two_epochs_before_one_marker_need_no_record_of_the_coordinator(documents, name, who):
    (finding,) = documents[name]["findings"]
    assert (finding["code"], finding["confidence"], finding["first_offset"], finding["last_offset"]) == (
        "TXN011", "certain", 4, 6,
    )  # fmt: skip
    assert f"3 records of an ended transaction of {who} were committed" in finding["headline"]
    assert "epoch 5 from offset 7 on" in finding["steps"][1]["text"]
    assert all(step["evidence"] for step in finding["steps"])


@pytest.mark.parametrize("name", ["hole", "compacted, hole"])
def test_where_an_offset_is_missing_an_epoch_proves_nothing(documents, name):
    assert documents[name]["findings"] == []


def test_a_transaction_of_one_epoch_is_clean(documents):
    assert documents["whole"]["verdict"] == "clean"
