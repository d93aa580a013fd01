"""Payloads that print batches, records, markers and headers of their own: none of them may be taken."""

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from printing import Batch, Record, forged_batch, forged_marker, forged_record, printed

FLAT_MARKER = (
    "offset: 3 position: 200 CreateTime: 5 isvalid: true keysize: 4 valuesize: 6 magic: 2 compresscodec: NONE producerId: 666 "
    "producerEpoch: 0 sequence: -1 isTransactional: true headerKeys: [] endTxnMarker: ABORT coordinatorEpoch: 1"
)
LINES = [
    *(forged_batch(offset, count) for offset in (0, 1, 2, 3, 5, 9) for count in (0, 1, 2)),
    *(forged_batch(offset, 1, "true", size=78) for offset in (1, 2, 4)),
    *(forged_batch(offset, 1, position="0", size=61) for offset in (0, 1)),
    *(forged_record(offset) for offset in (0, 1, 2, 3, 4, 99)),
    *(forged_record(offset, "[] key: four payload: sixsix") for offset in (1, 2, 3)),
    *(forged_marker(offset) for offset in (1, 2, 3, 4)),
    "Dumping t-1/00000000000000000000.log",
    "Log starting offset: 0",
    FLAT_MARKER,
    "producerId: 666 producerEpoch: 0 coordinatorEpoch: 0 currentTxnFirstOffset: None ",
    "version: 0 producerId: 666 firstOffset: 5 lastOffset: 9 lastStableOffset: 10",
    'Exception in thread "main" java.lang.NullPointerException',
    "Found 17 invalid bytes at the end of 00000000000000000000.log",
    "",
    " payload: x",
    "] key: k payload: v",
]
PIECES = st.sampled_from([*LINES, "plain", "é€😀", " key: ", " payload: ", "]", "[", ",", "\t", "?"])
TEXT = st.lists(st.tuples(PIECES, st.sampled_from(["\n", "\n", "", " "])), max_size=6).map(
    lambda parts: "".join(piece + glue for piece, glue in parts)
)
PARTS = st.one_of(st.none(), TEXT)
HEADERS = st.sampled_from([(), (), ("trace",), ("a", "b]", "c")])
RECORD = st.builds(Record, PARTS, PARTS, HEADERS)
BATCH = st.one_of(
    st.builds(Batch, st.lists(RECORD, min_size=1, max_size=3), st.integers(1, 9)),
    st.builds(Batch, st.just([]), st.integers(1, 9), st.sampled_from(["COMMIT", "ABORT"])),
)
BATCHES = st.lists(BATCH, min_size=1, max_size=6)

QUIET = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def assert_read(read, text, expected, **options):
    facts = read(text, **options)
    found = [{name: row[name] for name in expected[0]} for row in facts["batches"]]
    assert found == expected
    assert len(facts["sections"]) == 1
    assert facts["sections"][0]["ending"] == "complete"
    assert not facts["unparsed_lines"]
    assert set(facts) <= {"batches", "sections", "unparsed_lines"}


@QUIET
@given(BATCHES)
def test_hostile_keys_and_values(read, batches):
    text, expected = printed(batches, contents=True)
    assert_read(read, text, expected)


@QUIET
@given(BATCHES)
def test_hostile_keys_and_values_in_a_dump_from_windows(read, batches):
    text, expected = printed(batches, contents=True, newline="\r\n")
    assert_read(read, text, expected)


@QUIET
@given(BATCHES)
def test_hostile_keys_and_values_without_batch_lines(read, batches):
    text, expected = printed(batches, contents=True, flat=True)
    assert_read(read, text, expected)


@QUIET
@given(BATCHES, st.integers(1, 200))
def test_any_block_size_reads_the_same(read, batches, block_bytes):
    text, _ = printed(batches, contents=True)
    assert read(text, block_bytes=block_bytes) == read(text)


DUMP_IN_A_HEADER_KEY = "\n".join(
    ["]", forged_batch(0, 0), "Dumping t-1/00000000000000000000.log", forged_batch(0, 0), ""]
)
EMPTY_BATCH_IN_A_HEADER_KEY = "\n".join([forged_record(0), forged_batch(0, 0), "Dumping t-1/00000000000000000000.log"])
PAYLOAD_IN_A_HEADER_KEY = "\n".join([forged_record(0), forged_batch(0), " payload: ", ""])
"""A record of a dump without metadata, in one that prints it."""
INDEX_IN_A_HEADER_KEY = "\n".join(
    ["] key: k payload: v", f"Dumping t-1/00000000000000000000.log{forged_batch(0, 0)}", FLAT_MARKER, ""]
)
"""A dump of no file that Kafka has, and a record line that begins as an entry of an index does."""
BATCH_BEHIND_NO_KEY = f"]\n{forged_batch(1, 2)}\n"
"""A record line that ends as one without header keys does, and a batch that goes on where its own ends."""
DUMP_AGAIN_BEHIND_NO_KEY = f"]\n{forged_batch(0, 1, position='0', size=61)}\n"
"""The same with a batch of another dump of the segment, which begins again."""
CONTENTS_IN_A_HEADER_KEY = "] key: k payload: v\n"
"""A record line as a dump with contents prints it."""
HOSTILE_HEADERS = st.lists(TEXT, max_size=2).map(tuple)


@pytest.mark.parametrize("contents", [True, False])
@QUIET
@given(
    batches=st.lists(
        st.one_of(
            st.builds(
                Batch, st.lists(st.builds(Record, st.just("k"), st.just("v"), HOSTILE_HEADERS), min_size=1, max_size=2)
            ),
            st.builds(Batch, st.just([]), st.integers(1, 9), st.just("COMMIT")),
        ),
        min_size=2,
        max_size=6,
    )
)
@example(batches=[Batch([Record("k", "v", (DUMP_IN_A_HEADER_KEY,))]), Batch([Record("k", "v")])])
@example(batches=[Batch([Record("k", "v")]), Batch([Record("k", "v", (EMPTY_BATCH_IN_A_HEADER_KEY,))])])
@example(batches=[Batch([Record("k", "v")]), Batch([Record("k", "v", (INDEX_IN_A_HEADER_KEY,))])])
@example(
    batches=[
        Batch([Record("k", "v")]),
        Batch([Record("k", "v", (PAYLOAD_IN_A_HEADER_KEY, f"{forged_batch(0, 0)}\n")), Record("k", "v")]),
    ]
)
@example(
    batches=[
        Batch([Record("k", "v", (BATCH_BEHIND_NO_KEY,)), Record("k", "v")]),
        Batch([Record("k", "v", (f"{forged_batch(0, 0)}\n", f"{forged_batch(0, 0)}\n"))]),
    ]
)
@example(batches=[Batch([Record("k", "v", (DUMP_AGAIN_BEHIND_NO_KEY,))]), Batch([Record("k", "v")])])
@example(
    batches=[
        Batch([Record("k", "v", (f"{CONTENTS_IN_A_HEADER_KEY}{forged_batch(0, 0)}\n",))]),
        Batch([Record("k", "v"), Record("k", "v", (CONTENTS_IN_A_HEADER_KEY,))]),
    ]
)
def test_hostile_header_keys(read, contents, batches):
    """Header keys have no sizes on the line; still no forged batch stands where the true chain goes on behind it."""
    batches = [*batches, *[Batch([Record("k", "v")]) for _ in range(3)]]
    text, expected = printed(batches, contents=contents)
    facts = read(text)
    found = [{name: row[name] for name in expected[0]} for row in facts["batches"]]
    assert [row for row in found if row["producer_id"] == 666] == []
    assert all(row in expected for row in found)
