"""Files of two copies of a log in one folder: their segments begin at different offsets, and overlap."""

import pytest
from judged_together import judged_together
from written import batch, end_marker, state_record, written_capture

START, MINUTE = 1_788_134_400_000, 60_000
WHO = {"producer_id": 7, "producer_epoch": 0}


def data(offset: int, sequence: int, at: int) -> bytes:
    return batch(offset, *[(b"k", b"v")] * 3, flags=0x10, base_sequence=sequence, timestamp=at, **WHO)


@judged_together
def documents(root):
    marker = end_marker(3, commit=True, timestamp=START + 1005, **WHO)
    head, late = data(0, 0, START + 100) + marker, data(4, 3, START + 2 * MINUTE)
    tail = late + batch(7, (b"k", b"v"), timestamp=START + 5 * MINUTE)
    names = ("Ongoing", "PrepareCommit", "CompleteCommit")
    states = b"".join(
        state_record(number, b"app", state, (7, 0), (0,) if number < 2 else (), timestamp=START + 500 * number)
        for number, state in enumerate(names)
    )
    other = data(4, 9, START + 2 * MINUTE) + batch(7, (b"k", b"v"), timestamp=START + 5 * MINUTE)
    second = {"whole": None, "data": (4, tail), "marker": (3, marker + tail), "other bytes": (4, other)}
    captures = []
    for name, segment in second.items():
        logs = {"orders-0": head + tail, "__transaction_state-0": states}
        captures.append(written_capture(root, name, logs, START + 10 * MINUTE))
        if segment:
            offset, content = segment
            (root / name / "broker-1" / "orders-0" / f"{offset:020d}.log").write_bytes(content)
    return {one.name: root / one.name for one in captures}


def said(document):
    findings = [(one["code"], one["confidence"], one["headline"]) for one in document["findings"]]
    opened = [(one["first_offset"], one["last_offset"], one["verdict"]) for one in document["open_transactions"]]
    (row,) = [one for one in document["partitions"] if one["topic"] == "orders"]
    return findings, opened, [row[name] for name in ("lso", "log_end_offset", "blocked_records", "blocked_bytes")]


@pytest.mark.parametrize("name", ["data", "marker"])
def test_a_batch_of_two_segments_is_no_damage_and_counts_once(documents, name):
    assert said(documents[name]) == said(documents["whole"])
    assert documents["whole"]["findings"]


def test_other_bytes_beyond_the_next_segments_name_are_damage(documents):
    assert "LOG002" in {one["code"] for one in documents["other bytes"]["findings"]}
