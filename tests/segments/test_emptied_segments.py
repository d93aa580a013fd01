"""A segment of 0 bytes below the cleaner checkpoint: the cleaner leaves such, but no index that lists markers in it."""

import struct

import pytest
from judged_together import judged_together
from written import batch, end_marker

RECORD = (b"k", b"v")
OPEN = {"flags": 0x10, "producer_id": 7, "producer_epoch": 0, "base_sequence": 0}
LAST = batch(100, RECORD, **OPEN) + end_marker(101, commit=True, producer_id=7, producer_epoch=0) + batch(102, RECORD)
FIRST = batch(0, RECORD) + batch(1, RECORD)


def txnindex(first: int, marker: int) -> bytes:
    return struct.pack(">hqqqq", 0, 7, first, marker, first)


CAPTURES = {
    "in front": {"0.log": b"", "0.txnindex": txnindex(3, 10)},
    "between": {"0.log": FIRST, "50.log": b"", "50.txnindex": txnindex(53, 60)},
    "in front, cleaned": {"0.log": b""},
    "between, cleaned": {"0.log": FIRST, "50.log": b"", "50.txnindex": b""},
}


@judged_together
def told(root):
    for name, files in CAPTURES.items():
        log = root / name / "broker-0" / "orders-0"
        log.mkdir(parents=True)
        for file, content in {**files, "100.log": LAST}.items():
            base, suffix = file.split(".")
            (log / f"{int(base):020}.{suffix}").write_bytes(content)
        for kind, number in (("cleaner-offset", 100), ("replication-offset", 103), ("recovery-point-offset", 103)):
            (log.parent / f"{kind}-checkpoint").write_text(f"0\n1\norders 0 {number}\n")
        (log.parent / "log-start-offset-checkpoint").write_text("0\n0\n")
    return {name: root / name for name in CAPTURES}


def emptied(document):
    return [one["note"] for one in document["coverage"]["notes"] if one["kind"] in ("emptied_segment", "index_differs")]


@pytest.mark.parametrize(("name", "segment"), [("in front", 0), ("between", 50)])
def test_an_index_that_lists_markers_of_an_empty_segment_is_not_clean(told, name, segment):
    assert told[name]["verdict"] == "inconclusive"
    [note] = emptied(told[name])
    assert f"{segment:020} of orders-0 has no batch" in note


@pytest.mark.parametrize("name", ["in front, cleaned", "between, cleaned"])
def test_what_the_cleaner_emptied_is_clean(told, name):
    assert (told[name]["verdict"], emptied(told[name])) == ("clean", [])
