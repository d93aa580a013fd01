"""A segment that another process truncates while it is read ends earlier, and its rows say so."""

import os
from pathlib import Path

import pytest
from written import batch

from analyzer.parse.segments.raw_bytes import RawBytes
from analyzer.parse.segments.reading import line_at, read_raw

RECORDS = [(b"k", bytes([n]) * 16_000) for n in range(64)]
BATCHES = [batch(64 * n, *RECORDS) for n in range(24)]
SIZE = len(BATCHES[0])
"""A megabyte: the segment does not fit one window."""


@pytest.fixture
def segment(tmp_path):
    path = tmp_path / "00000000000000000000.log"
    path.write_bytes(b"".join(BATCHES))
    return path


def test_truncated_between_two_batches_of_rows(segment):
    rows = []
    for number, part in enumerate(read_raw(str(segment), "segment", segment.name, "file", rows_per_batch=1)):
        rows += part.to_pylist()
        if number == 0:
            os.truncate(segment, 16 * SIZE + 100)
    assert [row["base_offset"] for row in rows if row["table"] == "batches"] == [64 * n for n in range(16)]
    damage = [(row["damage"], row["byte_offset"], row["bytes"]) for row in rows if row["table"] == "damaged_ranges"]
    assert damage == [("cut_tail", 16 * SIZE, 100), ("cut_tail", 16 * SIZE + 100, 8 * SIZE - 100)]
    (section,) = (row for row in rows if row["table"] == "sections")
    assert section["ending"] == "cut"
    assert f"the file shrank to {16 * SIZE + 100} of {24 * SIZE} bytes while it was read" in section["note"]


def test_truncated_to_nothing(segment):
    parts = read_raw(str(segment), "segment", segment.name, "file", rows_per_batch=1)
    first = next(parts).to_pylist()
    os.truncate(segment, 0)
    rest = [row for part in parts for row in part.to_pylist()]
    read = sum(row["table"] == "batches" for row in [*first, *rest])
    assert 0 < read < 24
    assert [(row["damage"], row["byte_offset"]) for row in rest if row["table"] == "damaged_ranges"] == [
        ("cut_tail", read * SIZE)
    ]


def test_the_last_part_says_what_no_part_read(segment, read):
    """The first part was read whole; the file is shorter than where the second begins."""
    half = 12 * SIZE
    assert len(read(segment, part=(0, half))["batches"]) == 12
    os.truncate(segment, 3 * SIZE)
    found = read(segment, part=(half, None))
    assert [(row["damage"], row["byte_offset"], row["bytes"]) for row in found["damaged_ranges"]] == [
        ("cut_tail", half, 0)
    ]
    assert found["sections"][0]["ending"] == "cut"


def test_a_place_that_is_gone_renders(segment):
    os.truncate(segment, SIZE + 50)
    assert line_at(str(segment), "segment", SIZE).startswith("no batch: ")
    assert line_at(str(segment), "segment", 9 * SIZE) == "no batch: the file ends here"


def test_a_window_ends_where_the_file_now_ends(segment):
    with RawBytes(segment) as file:
        os.truncate(segment, 10)
        assert bytes(file.read(4, 40)) == BATCHES[0][4:10]
        assert (file.size, file.opened_size) == (10, 24 * SIZE)
        assert len(file.window(10, 5)) == len(file.read(20, 30)) == 0


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file whose reads fail")
def test_a_disk_that_fails_is_a_note_and_no_dead_task():
    """Linux refuses to read the unmapped first page of a process: the read raises, as it does from a bad disk."""
    with RawBytes("/proc/self/mem") as file:
        file.size = file.opened_size = 100
        assert len(file.read(0, 10)) == 0
        assert (file.size, file.fault) == (0, "the file cannot be read from byte 0 on: Input/output error")
