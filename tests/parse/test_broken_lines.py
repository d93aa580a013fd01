"""A dump whose lines mail broke at a width says what the unbroken one says, each line where it begins."""

import sys
import textwrap
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import rows_by_table
from printing import Batch, Record, printed

from analyzer.opening import read_line
from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

BATCHES = [Batch([Record("k", "v1"), Record("k", None)]), Batch([], marker="COMMIT"), Batch([Record("k", "w")])]
DEEP, _ = printed(BATCHES, contents=False)
PLAIN = "".join(line for line in DEEP.splitlines(keepends=True) if not line.startswith("|"))
OLD = (
    "Dumping /logs/orders-0/00000000000000000000.log\nStarting offset: 0\n"
    "baseOffset: 0 lastOffset: 1 count: 2 baseSequence: 0 lastSequence: 1 producerId: 7 producerEpoch: 0 "
    "partitionLeaderEpoch: 0 isTransactional: true isControl: false position: 0 CreateTime: 1795252572871 isvalid: true "
    "size: 90 magic: 2 compresscodec: NONE crc: 4031267482\n"
    "baseOffset: 2 lastOffset: 2 count: 1 baseSequence: -1 lastSequence: -1 producerId: 7 producerEpoch: 0 "
    "partitionLeaderEpoch: 0 isTransactional: true isControl: true position: 90 CreateTime: 1795252572999 isvalid: true "
    "size: 78 magic: 2 compresscodec: NONE crc: 1031267482\n"
)
DUMPS = {"with records": DEEP, "batches alone": PLAIN, "before 2.3": OLD}


def read(tmp_path: Path, text: str) -> tuple[dict, list[str]]:
    path = tmp_path / "orders-0.txt"
    path.write_text(text)
    (source,) = scan_capture(CaptureRequest((str(path),))).sources()
    facts = rows_by_table(read_facts(source))
    quoted = [read_line(path, row["byte_offset"], "", source.encoding) for row in facts["batches"]]
    return facts, quoted


def broken(text: str, width: int, indent: str = "") -> tuple[str, list[int]]:
    """Return the text broken at a width, and the number of the line at which each line of it begins."""
    out: list[str] = []
    begins: list[int] = []
    for line in text.splitlines():
        begins.append(len(out) + 1)
        out += textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False, subsequent_indent=indent)
    return "".join(f"{line}\n" for line in out), begins


def without_places(rows: list[dict]) -> list[dict]:
    places = ("line", "byte_offset", "marker_line", "marker_byte_offset", "first_line", "last_line")
    return [{name: value for name, value in row.items() if name not in places} for row in rows]


@pytest.mark.parametrize("dump", DUMPS)
@pytest.mark.parametrize("indent", ["", " ", "    "])
@pytest.mark.parametrize("width", [32, 40, 60, 72, 76, 80, 100, 120, 132, 160])
def test_a_broken_dump_says_the_same(tmp_path, dump, width, indent):
    text, begins = broken(DUMPS[dump], width, indent)
    facts, quoted = read(tmp_path, text)
    whole, lines = read(tmp_path, DUMPS[dump])
    for table in ("batches", "unparsed_lines", "coordinator_states"):
        assert without_places(facts[table]) == without_places(whole[table])
    assert [row["line"] for row in facts["batches"]] == [begins[row["line"] - 1] for row in whole["batches"]]
    assert quoted == lines


@pytest.mark.parametrize("width", [60, 76])
def test_quoted_in_a_reply(tmp_path, width):
    text, _ = broken(DEEP, width)
    facts, _ = read(tmp_path, "".join(f"> {line}\n" for line in text.splitlines()))
    whole, _ = read(tmp_path, DEEP)
    assert without_places(facts["batches"]) == without_places(whole["batches"])
    assert not facts["unparsed_lines"]


def test_what_follows_a_whole_line_stays_a_line_of_its_own(tmp_path):
    text, _ = broken(DEEP, 72)
    entry = "producerId: 7 producerEpoch: 0 coordinatorEpoch: 0 currentTxnFirstOffset: None\n"
    facts, _ = read(tmp_path, f"{text}{entry}isvalid: true\n")
    assert [row["text"] for row in facts["unparsed_lines"]]
    assert len(facts["batches"]) == len(BATCHES)


def test_a_dump_that_prints_values_is_not_put_together(tmp_path):
    printed_values, _ = printed([Batch([Record("k", "a\nproducerId: 7 producerEpoch: 0")])], contents=True)
    broken_too = printed_values.replace(" producerId:", "\nproducerId:", 1)
    facts, _ = read(tmp_path, broken_too)
    assert not facts["batches"]


BATCH = (
    "baseOffset: {0} lastOffset: {0} count: 1 baseSequence: -1 lastSequence: -1 producerId: -1 producerEpoch: -1 "
    "partitionLeaderEpoch: 0 isTransactional: false isControl: false deleteHorizonMs: OptionalLong.empty position: {1} "
    "CreateTime: 1795252572871 size: 150 magic: 2 compresscodec: none crc: {2} isvalid: true\n"
    "| offset: {0} CreateTime: 1795252572871 keySize: 9 valueSize: 80 sequence: -1 headerKeys: [] key: "
)
STATES = {
    "to 3.8": [
        "transaction_metadata::transactionalId=pay-1",
        (
            "producerId:7,producerEpoch:0,state={state},partitions=[orders-0, orders-1],"
            "txnLastUpdateTimestamp=1795252572871,txnTimeoutMs=60000"
        ),
    ],
    "from 3.9": [
        '{{"type":"0","data":{{"transactionalId":"pay-1"}}}}',
        (
            '{{"version":"0","data":{{"producerId":7,"producerEpoch":0,"transactionTimeoutMs":60000,'
            '"transactionStatus":"{state}","transactionPartitions":[{{"topic":"orders","partitionIds":[0,1]}}],'
            '"transactionLastUpdateTimestampMs":1795252572871,"transactionStartTimestampMs":1795252572000}}}}'
        ),
    ],
}


@pytest.mark.parametrize("form", STATES)
@pytest.mark.parametrize("width", [60, 72, 76, 80, 100, 132])
def test_what_the_decoder_of_states_prints_is_put_together(tmp_path, form, width):
    key, value = STATES[form]
    states = ["0", "2", "4"] if form == "from 3.9" else ["Ongoing", "PrepareCommit", "CompleteCommit"]
    dump = "Dumping /logs/__transaction_state-20/00000000000000000000.log\nLog starting offset: 0\n" + "".join(
        BATCH.format(at, at * 150, 1_031_267 + at) + f"{key.format()} payload: {value.format(state=state)}\n"
        for at, state in enumerate(states)
    )
    facts, _ = read(tmp_path, broken(dump, width)[0])
    whole, _ = read(tmp_path, dump)
    assert len(whole["coordinator_states"]) == len(states)
    for table in ("batches", "coordinator_states", "unparsed_lines"):
        assert without_places(facts[table]) == without_places(whole[table])


def test_a_number_at_a_line_end_may_go_on(tmp_path):
    """A terminal breaks lines anywhere: 600 is a part of the timeout."""
    key, value = STATES["to 3.8"]
    line = BATCH.format(0, 0, 5) + f"{key} payload: {value.format(state='Ongoing')}\n"
    cut = line.replace(" payload: ", " payload:\n").replace("txnTimeoutMs=60000", "txnTimeoutMs=600\n00")
    facts, _ = read(tmp_path, cut + BATCH.format(1, 150, 6) + f"{key} payload: {value.format(state='PrepareAbort')}\n")
    assert not [row for row in facts["coordinator_states"] if row["timeout_ms"] != 60_000]
