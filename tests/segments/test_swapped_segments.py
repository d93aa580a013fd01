"""Segments that the cleaner has swapped in, and whose broker died before it renamed them: what it does at its start."""

import pytest
from judged_together import judged_together
from written import batch, end_marker

RECORD = (b"k", b"v")
SEVEN = {"producer_id": 7, "producer_epoch": 0}
DATA = {"flags": 0x10, "base_sequence": 0, **SEVEN}
OLD = batch(0, RECORD) + batch(1, RECORD, **DATA) + batch(2, RECORD)
MARKED = end_marker(3, commit=True, **SEVEN) + batch(4, RECORD)
WITHOUT_MARKER = batch(4, RECORD)
CLEAN = batch(2, RECORD) + MARKED
LAST = batch(10, RECORD)
CAPTURES = {
    "the old ones are deleted": {"0.log.swap": CLEAN},
    "the old ones are here": {"0.log": OLD, "3.log": WITHOUT_MARKER, "0.log.swap": CLEAN},
    "one of them": {"3.log": WITHOUT_MARKER, "0.log.swap": CLEAN, "0.txnindex.swap": b""},
    "not finished": {"0.log": OLD, "3.log": MARKED, "0.log.swap": OLD, "0.log.cleaned": b""},
}


@judged_together
def told(root):
    for name, files in CAPTURES.items():
        log = root / name / "broker-0" / "orders-0"
        log.mkdir(parents=True)
        for file, content in {**files, "10.log": LAST}.items():
            base, _, suffix = file.partition(".")
            (log / f"{int(base):020}.{suffix}").write_bytes(content)
        for kind, number in (("cleaner-offset", 10), ("replication-offset", 11), ("recovery-point-offset", 11)):
            (log.parent / f"{kind}-checkpoint").write_text(f"0\n1\norders 0 {number}\n")
        (log.parent / "log-start-offset-checkpoint").write_text("0\n0\n")
    return {name: root / name for name in CAPTURES}


@pytest.mark.parametrize("name", CAPTURES)
def test_a_swap_is_the_segment_that_its_broker_reads(told, name):
    document = told[name]
    assert (document["verdict"], document["findings"]) == ("clean", []), document["coverage"]["notes"]
    assert [row["log_end_offset"] for row in document["partitions"]] == [11]
