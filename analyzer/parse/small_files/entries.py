r"""Parses the lines of dumped `.snapshot`, `.txnindex`, `.index` and `.timeindex` files into rows.

producerId: 7 producerEpoch: 0 lastSequence: 0 lastOffset: 60 offsetDelta: 0 lastTimestamp: 1 coordinatorEpoch: 0
    currentTxnFirstOffset: None                                                                        (0.11)
producerId: 7 producerEpoch: 0 coordinatorEpoch: 0 currentTxnFirstOffset: None
    cachedMetadata: Queue(BatchMetadata(firstSeq=0, lastSeq=1, firstOffset=3, lastOffset=4, timestamp=1))   (1.0)
producerId: 7 producerEpoch: 0 coordinatorEpoch: 0 currentTxnFirstOffset: OptionalLong[117] lastTimestamp: 1
    firstSequence: 0 lastSequence: 1 lastOffset: 118 offsetDelta: 1 timestamp: 1             (1.0.2, 3.1, 3.5 on)
version: 0 producerId: 1000 firstOffset: 5 lastOffset: 9 lastStableOffset: 10
"""

import re

from analyzer.parse.rows import Rows, within
from analyzer.parse.sections import Section
from analyzer.parse.stream import Lines

_NUMBER = rb"(-?\d{1,19})"
_OPEN = rb"currentTxnFirstOffset: (?:None|OptionalLong\.empty|(?:Some\(|OptionalLong\[)(?P<open>-?\d{1,19})[)\]])"
_HEAD = rb"producerId: (?P<id>-?\d{1,19}) producerEpoch: (?P<epoch>-?\d{1,10}) "
_SNAPSHOT_0_11 = re.compile(
    _HEAD
    + rb"lastSequence: (?P<sequence>-?\d{1,10}) lastOffset: (?P<last>-?\d{1,19}) offsetDelta: (?P<delta>-?\d{1,10})"
    rb" lastTimestamp: (?P<time>-?\d{1,19}) coordinatorEpoch: (?P<coordinator>-?\d{1,10}) " + _OPEN
)
_SNAPSHOT = re.compile(
    _HEAD + rb"coordinatorEpoch: (?P<coordinator>-?\d{1,10}) " + _OPEN + rb"(?: lastTimestamp: (?P<seen>-?\d{1,19}))?"
    rb"(?: firstSequence: -?\d{1,10} lastSequence: (?P<sequence>-?\d{1,10}) lastOffset: (?P<last>-?\d{1,19})"
    rb" offsetDelta: (?P<delta>-?\d{1,10}) timestamp: (?P<time>-?\d{1,19})"
    rb"| cachedMetadata: \w+\((?P<queue>.*)\)| ?)"
)
_QUEUED = re.compile(
    rb"BatchMetadata\(firstSeq=-?\d+, lastSeq=(-?\d{1,10}), firstOffset=(-?\d{1,19}), lastOffset=(-?\d{1,19}),"
    rb" timestamp=(-?\d{1,19})\)"
)
_ABORTED = re.compile(
    rb"version: \d+ producerId: %b firstOffset: %b lastOffset: %b lastStableOffset: %b" % ((_NUMBER,) * 4)
)
_INDEX = re.compile(rb"offset: \d+ position: \d+")
_TIMEINDEX = re.compile(rb"timestamp: -?\d+ offset: \d+")

LastBatch = tuple[int | None, int | None, int | None, int | None]
"""last_sequence, last_offset, offset_delta, timestamp"""


def take_entry(lines: Lines, rows: Rows, section: Section) -> bool:
    """Take the line at the cursor if it is an entry of such a file; a line without its end only if it is closed."""
    kind = section.kind
    line = lines.line
    if not lines.whole and not (b" cachedMetadata: " in line and line.endswith(b"))")):
        return False
    taken = (
        (kind in ("", "snapshot") and _take_producer(line, lines, rows, section))
        or (kind in ("", "txnindex") and _take_aborted(line, lines, rows, section))
        or (kind in ("", "index") and _take_plain(_INDEX, "index", line, section))
        or (kind in ("", "timeindex") and _take_plain(_TIMEINDEX, "timeindex", line, section))
    )
    if taken:
        section.batches += 1
        lines.next()
    return taken


def _take_producer(line: bytes, lines: Lines, rows: Rows, section: Section) -> bool:
    match = _SNAPSHOT_0_11.fullmatch(line) or _SNAPSHOT.fullmatch(line)
    if match is None:
        return False
    section.kind = "snapshot"
    fields = match.groupdict()
    section.see_layout(_since(line, fields))
    last_sequence, last_offset, delta, timestamp = _last_batch(fields)
    rows.add(
        "producer_states",
        (section.number, lines.number, lines.offset),
        snapshot_offset=section.segment,
        producer_id=within(int(match["id"]), "bigint"),
        producer_epoch=within(int(match["epoch"]), "int"),
        last_sequence=last_sequence,
        last_offset=last_offset,
        offset_delta=delta,
        timestamp=timestamp,
        coordinator_epoch=within(int(match["coordinator"]), "int"),
        current_txn_first_offset=within(int(match["open"]), "bigint") if match["open"] else None,
    )
    return True


def _last_batch(fields: dict[str, bytes | None]) -> LastBatch:
    """Return the producer's last batch; without one -1, -1 and delta 0, as in the file itself."""
    printed = fields.get("seen")
    seen = within(int(printed), "bigint") if printed else None
    queue = fields.get("queue")
    if queue is not None:
        entries = _QUEUED.findall(queue)
        if not entries:
            return (-1, -1, 0, None)
        sequence, first, last, time = map(int, entries[-1])
        return (within(sequence, "int"), within(last, "bigint"), within(last - first, "int"), within(time, "bigint"))
    if not fields["sequence"]:
        return (-1, -1, 0, seen)
    return (
        within(int(fields["sequence"]), "int"),
        within(int(fields["last"] or -1), "bigint"),
        within(int(fields["delta"] or 0), "int"),
        within(int(fields["time"] or -1), "bigint"),
    )


def _since(line: bytes, fields: dict[str, bytes | None]) -> str:
    """Return the version that first prints such a line."""
    if "seen" not in fields:
        return "0.11.0"
    if fields["queue"] is not None:
        return "1.0.0"
    if b"OptionalLong" in line:
        return "3.5.0"
    return "3.1.0" if fields["seen"] else "1.0.2"


def _take_aborted(line: bytes, lines: Lines, rows: Rows, section: Section) -> bool:
    match = _ABORTED.fullmatch(line)
    if match is None:
        return False
    section.kind = "txnindex"
    section.see_layout("0.11.0")
    numbers = [within(int(number), "bigint") for number in match.groups()]
    rows.add_row(("aborted_ranges", tuple(numbers)), (section.number, lines.number, lines.offset))
    return True


def _take_plain(pattern: re.Pattern[bytes], kind: str, line: bytes, section: Section) -> bool:
    """Take an entry of an offset or time index, which gives no row."""
    if pattern.fullmatch(line) is None:
        return False
    section.kind = kind
    return True
