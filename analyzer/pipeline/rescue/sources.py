"""Which files of a capture hold the records to save: raw segments, dumps with payloads, or neither."""

import dataclasses
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analyzer.errors import InputError
from analyzer.kafka.placement import place_of
from analyzer.pipeline.rescue.targets import Target
from analyzer.report.sentences.cells import visible
from analyzer.storage.reading.rows import StoredRows
from analyzer.tables import NO_REPLICA

SEGMENT_KINDS = frozenset({"segment", "transaction_segment", "offsets_segment"})


@dataclasses.dataclass(frozen=True, slots=True)
class Placed:
    """A segment, or the dumps of one partition in a text file: its row of `capture_files`, and the log it is of."""

    file: Mapping[str, Any]
    topic: str | None
    partition: int | None
    replica: str
    segment: int
    sections: tuple[Mapping[str, Any], ...] = ()

    @property
    def is_raw(self) -> bool:
        """Whether it is a segment itself."""
        return self.file["file_kind"] in SEGMENT_KINDS

    @property
    def has_payloads(self) -> bool:
        """Whether keys and values of its records were printed."""
        return any(section["decoder"] == "data" for section in self.sections)


def placed_files(read: StoredRows, files: Iterable[Mapping[str, Any]]) -> list[Placed]:
    """Return each segment and each log of a dump with its place.

    capture.toml wins over the path on the Dumping line, and that wins over the folders (`capture_sections`).
    """
    readable = [file for file in files if file["file_id"] is not None]
    raw = [_placed(file) for file in readable if file["file_kind"] in SEGMENT_KINDS]
    dumps = [file for file in readable if file["file_kind"] == "dump"]
    sections: dict[str, list[Mapping[str, Any]]] = {}
    for section in read("sections", {"file_id": sorted({file["file_id"] for file in dumps})}) if dumps else ():
        if section["kind"] == "log":
            sections.setdefault(section["file_id"], []).append(section)
    return raw + [_placed(file, section) for file in dumps for section in sections.get(file["file_id"], ())]


def _placed(file: Mapping[str, Any], section: Mapping[str, Any] | None = None) -> Placed:
    """Return a file in its place; one that was named by itself, or with its own folder, is placed by its whole path."""
    topic, partition = file["folder_topic"], file["folder_partition"]
    if section and section["dumped_topic"] is not None:
        topic, partition = section["dumped_topic"], section["dumped_partition"]
    elif topic is None:
        place = place_of(file["absolute_path"])
        topic, partition = place.topic, place.partition
    replica = file["given_replica"] or file["folder_replica"] or (section and section["dumped_replica"])
    segment = section["segment"] if section and section["segment"] is not None else file["folder_segment"]
    return Placed(
        file,
        file["given_topic"] or topic,
        partition if file["given_partition"] is None else file["given_partition"],
        replica or NO_REPLICA,
        segment or 0,
        (section,) if section else (),
    )


def of_target(placed: Iterable[Placed], target: Target) -> list[Placed]:
    """Return the files of the target's log that may hold its offsets, in the order of the log, each content once.

    Where the target names no replica, the first that has a segment is taken.
    """
    log = [one for one in placed if (one.topic, one.partition) == (target.topic, target.partition)]
    replica = target.replica or min((not one.is_raw, one.replica) for one in log)[1] if log else None
    here = [one for one in log if one.replica == replica]
    copy = sorted(here, key=lambda one: (one.segment, one.file["path"], one.is_raw))
    bases = sorted({one.segment for one in copy})
    after = dict(itertools.pairwise(bases))
    unique: dict[tuple[object, ...], Placed] = {}
    for one in copy:
        if one.segment <= target.last_offset and after.get(one.segment, target.first_offset + 1) > target.first_offset:
            unique.setdefault((one.file["file_id"], *(section["section"] for section in one.sections)), one)
    return list(unique.values())


def other_copies(placed: Sequence[Placed], target: Target) -> list[str]:
    """Return the replicas, other than the target's, whose segments or payloads may hold its offsets."""
    log = [one for one in placed if (one.topic, one.partition) == (target.topic, target.partition)]
    there = {one.replica for one in log} - {target.replica}
    copies = {name: of_target(log, dataclasses.replace(target, replica=name)) for name in sorted(there)}
    return [name for name, held in copies.items() if any(one.is_raw or one.has_payloads for one in held)]


def nothing_to_read(placed: Sequence[Placed], target: Target) -> InputError:
    """Return the error that says why there is nothing, and which segment to copy from which broker."""
    folder = f"{target.topic}-{target.partition}"
    whose = "" if target.replica in {None, NO_REPLICA} else f" of broker {target.replica}"
    others = " or ".join(other_copies(placed, target))
    elsewhere = f"--replica {others}, whose copy is at hand, or " if others else ""
    here = of_target(placed, target)
    later = [one.segment for one in placed if _place(one) == _place(target)]
    found = f"there is no log of {folder}{whose}"
    deleted = ""
    if here:
        found = f"the dumps of {folder}{whose} have no payloads"
    elif later:
        found = f"the log of {folder}{whose} begins at offset {min(later)}, after these records"
        deleted = "; where no broker has it any more, the records are deleted and nothing can be saved"
    return InputError(
        f"{found}: no record can be saved.",
        wanted=f"{elsewhere}the segment with {target.name}",
        do=f"copy {_segments(here, target)} from the broker's disk into a folder {folder}, "
        f"and run the same command with that folder at its end{deleted}.",
    )


def _place(one: Placed | Target) -> tuple[str | None, int | None, str | None]:
    return one.topic, one.partition, one.replica


def _segments(here: Sequence[Placed], target: Target) -> str:
    """Return the paths of the segments on the broker, as far as the capture tells them."""
    folder = f"{target.topic}-{target.partition}"
    known = [
        visible(section["dumped_path"] or "") or f"<log.dirs>/{folder}/{one.segment:020}.log"
        for one in here
        for section in one.sections
    ]
    return " and ".join(dict.fromkeys(known)) or (
        f"<log.dirs>/{folder}/: the .log file with the largest number that is not above {target.first_offset}, "
        f"and those after it up to {target.last_offset}"
    )
