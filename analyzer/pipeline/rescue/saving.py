"""Saves the records that an abort would discard: reads the files of the capture again and writes what they hold."""

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analyzer.errors import InputError
from analyzer.kafka.topics import INTERNAL_TOPICS
from analyzer.opening import open_text, raw_file
from analyzer.parse.dump.producer_text import printed_data
from analyzer.parse.segments.producer_data import producer_data
from analyzer.parse.segments.raw_bytes import RawBytes
from analyzer.pipeline.rescue.archives import reopened
from analyzer.pipeline.rescue.sources import Placed, nothing_to_read, of_target, other_copies, placed_files
from analyzer.pipeline.rescue.targets import Ask, Target, targets
from analyzer.storage.reading.rows import StoredRows
from analyzer.storage.record_files import RecordFiles
from analyzer.tables.rescued import SavedBatch, Seen, Unread, Wanted

MOST_OFFSET = (1 << 63) - 1
RAW, TEXT, NONE = "raw segments", "text", "nothing"
ANOTHER_BATCH = "two files of the capture hold different batches at this offset; the first was written"


@dataclasses.dataclass(slots=True)
class Saved:
    """What was saved of a target, from which files, and everything that speaks against it being all.

    `counted` is how many records the analysis counted there, None where the files did not say. `others` are replicas of
    which files are at hand as well. `problem` says why there was nothing to read.
    """

    target: Target
    source: str
    files: list[str]
    counted: int | None
    others: list[str]
    problem: str | None = None
    records: int = 0
    doubtful: int = 0
    holes: list[tuple[int, int]] = dataclasses.field(default_factory=list)
    seen: Seen = dataclasses.field(default_factory=Seen)

    @property
    def complete(self) -> bool:
        """Whether the files prove that exactly the records of the transaction were saved, byte for byte."""
        more = 0 if self.target.lost else self.seen.more
        open_end = self.target.open_end and not self.seen.ended
        against = (self.seen.unread, self.holes, self.seen.markers, more, self.doubtful, open_end)
        as_counted = self.records > 0 and self.counted in {None, self.records}
        return self.source == RAW and as_counted and not any(against)


def rescue(
    read: StoredRows, capture: str, ask: Ask, folder: Path, files: Sequence[Mapping[str, Any]] = ()
) -> list[dict[str, Any]]:
    """Write what is asked for into the folder and return, for each open transaction, what `rescue.json` says of it.

    `files` are rows of `capture_files` to read instead of the capture's. Raises UsageError where no open transaction is
    meant, InputError where no file holds its records.
    """
    rows = read("capture_files", {"capture": [capture]})
    if files:
        return _rescued(read, capture, ask, folder, placed_files(read, rows), placed_files(read, files))
    with reopened(rows) as here:
        known = placed_files(read, here)
        return _rescued(read, capture, ask, folder, known, known)


def _rescued(
    read: StoredRows, capture: str, ask: Ask, folder: Path, known: Sequence[Placed], offered: Sequence[Placed]
) -> list[dict[str, Any]]:
    """Write what is asked for, from the files that are offered; `known` are those of the capture."""
    wanted = targets(read, capture, ask)
    if ask.last_offset is None:
        wanted = [_to_its_end(one, ask.replica, known, offered) for one in wanted]
    copies = wanted if offered is known else [dataclasses.replace(one, replica=ask.replica) for one in wanted]
    every = [_Saving(one, copy, offered, _counted(read, known, one)) for one, copy in zip(wanted, copies, strict=True)]
    faults = [one.fault for one in every if one.fault is not None]
    if len(faults) == len(every):
        raise faults[0]
    with RecordFiles(folder) as out:
        _save(every, out)
        saved = [_summary(one.saved) for one in every]
        out.summary = {"capture": capture, "rescued": saved}
    return saved


def _to_its_end(target: Target, replica: str | None, known: Sequence[Placed], offered: Sequence[Placed]) -> Target:
    """Return the target with the last offset that these segments have of it, where no file of the capture tells one."""
    if target.lost or of_target(known, target):
        return target
    wanted, seen = Wanted(target.producer_id, target.first_offset, target.last_offset), Seen()
    further = dataclasses.replace(target, replica=replica, last_offset=MOST_OFFSET)
    for placed in (one for one in of_target(offered, further) if one.is_raw):
        with (
            raw_file(placed.file["absolute_path"], placed.file["compression"] or "") as name,
            RawBytes(name) as segment,
        ):
            for _ in producer_data(segment, placed.file["path"], [(wanted, seen)]):
                pass
    last = target.last_offset if seen.reaches is None else seen.reaches
    return dataclasses.replace(target, last_offset=last, open_end=True)


def _chosen(offered: Sequence[Placed], target: Target) -> list[Placed]:
    """Return the segments to read or, where there are none, the dumps with payloads."""
    here = of_target(offered, target)
    chosen = [one for one in here if one.is_raw] or [one for one in here if one.has_payloads]
    if not chosen:
        raise nothing_to_read(offered, target)
    for one in chosen:
        if not Path(one.file["absolute_path"]).exists():
            raise InputError(
                f"{one.file['absolute_path']} is no longer there.",
                wanted="the files of the capture where it read them, also those of an archive",
                do="run the same command with their folder or archive at its end.",
            )
    return chosen


def _counted(read: StoredRows, known: Sequence[Placed], target: Target) -> int | None:
    """Return how many records the analyzed files say there are, None if they do not say, or say it of other ranges."""
    places = of_target(known, target)
    ids = sorted({one.file["file_id"] for one in places})
    sections = {(one.file["file_id"], section["section"]) for one in places for section in one.sections}
    counts: dict[int, int | None] = {}
    for row in read("batches", {"file_id": ids, "producer_id": [target.producer_id]}) if ids else ():
        raw = row["line"] is None
        inside = row["last_offset"] >= target.first_offset and (row["base_offset"] or 0) <= target.last_offset
        if not inside or row["is_control"] or not row["is_transactional"]:
            continue
        if raw or (row["file_id"], row["section"]) in sections:
            base = row["base_offset"]
            whole = base is not None and target.first_offset <= base and row["last_offset"] <= target.last_offset
            counts[base] = row["count"] if whole else None
    if not counts or None in counts.values():
        return None if counts or not places else 0
    return sum(count for count in counts.values() if count is not None)


class _Saving:
    """A target while its records are written: the files to read, what was saved, its batches by offset and checksum."""

    def __init__(self, target: Target, copy: Target, offered: Sequence[Placed], counted: int | None) -> None:
        """Choose among the files that are offered for this copy of the log, or keep the error that there are none."""
        self.chosen: list[Placed] = []
        self.fault: InputError | None = None
        try:
            self.chosen = _chosen(offered, copy)
        except InputError as fault:
            self.fault = fault
        source = NONE if not self.chosen else RAW if self.chosen[0].is_raw else TEXT
        paths = list(dict.fromkeys(one.file["path"] for one in self.chosen))
        problem = None if self.fault is None else self.fault.message()
        self.saved = Saved(target, source, paths, counted, other_copies(offered, copy), problem)
        self.wanted = Wanted(target.producer_id, target.first_offset, target.last_offset)
        self._written: dict[int, int | None] = {}

    def take(self, path: str, batch: SavedBatch, out: RecordFiles) -> None:
        """Write a batch, or say that another file of the capture has a different one at its offset."""
        saved = self.saved
        if batch.base_offset not in self._written:
            self._written[batch.base_offset] = batch.crc
            out.add(saved.target.topic, saved.target.partition, batch.records)
            saved.records += len(batch.records)
            saved.doubtful += sum(record.doubt is not None for record in batch.records)
        elif self._written[batch.base_offset] != batch.crc:
            last = max(record.offset for record in batch.records)
            saved.seen.unread.append(Unread(path, None, batch.base_offset, last, len(batch.records), ANOTHER_BATCH))


def _save(every: Sequence[_Saving], out: RecordFiles) -> None:
    """Write the records of all targets: each segment is read once, whoever has records in it."""
    segments: dict[str, tuple[Placed, list[_Saving]]] = {}
    for one in every:
        for placed in one.chosen:
            if placed.is_raw:
                segments.setdefault(placed.file["path"], (placed, []))[1].append(one)
            else:
                _save_printed(placed, one, out)
    for placed, wanting in sorted(segments.values(), key=lambda held: _in_log(held[0])):
        _save_segment(placed, wanting, out)
    for one in every:
        one.saved.holes = one.saved.seen.holes(one.wanted) if one.saved.source == RAW else []


def _in_log(placed: Placed) -> tuple[str, int, str, int]:
    return placed.topic or "", placed.partition or 0, placed.replica, placed.segment


def _save_segment(placed: Placed, wanting: Sequence[_Saving], out: RecordFiles) -> None:
    """Write what each of these wants of a segment, in the order of the log."""
    path, compression = placed.file["path"], placed.file["compression"] or ""
    asked = [(one.wanted, one.saved.seen) for one in wanting]
    with raw_file(placed.file["absolute_path"], compression) as name, RawBytes(name) as segment:
        for number, batch in producer_data(segment, path, asked):
            wanting[number].take(path, batch, out)


def _save_printed(placed: Placed, one: _Saving, out: RecordFiles) -> None:
    """Write the wanted records of the dumps in a text; each counts as a batch of its own."""
    file, numbers = placed.file, [section["section"] for section in placed.sections]
    with open_text(file["absolute_path"], file["compression"] or "", file["encoding"]) as stream:
        for record in printed_data(stream, numbers, one.wanted):
            one.take(file["path"], SavedBatch(record.offset, None, [record]), out)


def _summary(saved: Saved) -> dict[str, Any]:
    """Return what `rescue.json` says of a target."""
    return {
        **dataclasses.asdict(saved.target),
        "complete": saved.complete,
        "internal": saved.target.topic in INTERNAL_TOPICS,
        "source": saved.source,
        "files": saved.files,
        "problem": saved.problem,
        "records": saved.records,
        "counted_at_analysis": saved.counted,
        "doubtful": saved.doubtful,
        "unread": [dataclasses.asdict(one) for one in saved.seen.unread],
        "other_replicas": saved.others,
        "offsets_in_no_file": saved.holes,
        "markers_inside": saved.seen.markers,
        "outside_the_offsets": saved.seen.more,
        "open_end": saved.target.open_end and not saved.seen.ended,
        "without_a_transaction": saved.seen.beside,
    }
