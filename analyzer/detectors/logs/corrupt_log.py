"""Bytes of a segment cannot be trusted: a wrong checksum, an impossible length, or garbage between batches.

How it looks
  orders-0, read from the segment itself or from a dump of it
  0..5   data, markers            <- intact
  6      ... isvalid: false       <- the stored CRC does not match the bytes
  7..14  intact, if the length of the batch at 6 still leads to the next one
  DumpLogSegments stops where a length leads nowhere: Found record size 3
  smaller than minimum record overhead (14) in file ...

Why it happens
  A disk or controller returned other bytes than were written, a file was
  copied while it was being written or with a broken tool, or a file system
  lost a block in a power failure. A broker checks the CRC when a batch is
  produced and on recovery, not when it serves the batch: damage may go
  unnoticed for months.

What waits
  A consumer that reaches the batch fails with CorruptRecordException (Record
  batch ... stored crc ... computed crc ...) and cannot get past it. Followers
  refuse it, so the partition loses its in-sync replicas. If the batch held a
  marker, these files cannot tell how the transaction ended.

Is an abort safe
  Do not abort on the word of a damaged file. Neither the producer of a damaged
  batch nor its kind (data, COMMIT, ABORT) is known. Look at another replica
  first.

How sure
  certain   the checksum of a batch does not match, the bytes between two
            intact batches are no batch, or a base offset or leader epoch does
            not fit between its neighbours and the names of the segments (no
            checksum covers these; the batch is judged at the offset that its
            place implies, with the epoch of its neighbours)
  likely    the dump tool stopped here and reported a corrupt record
  The damage is in the files of the capture. The broker's own files may be
  intact: the copy may have been damaged on its way.

What it is not
  A truncated last batch (a segment copied while it was being written) and a
  tail of zeros (log.preallocate, a power failure) are notes in the coverage:
  no acknowledged record need be missing. A broken snapshot or transaction
  index is a note too: the broker rebuilds it from the log.

What would refute it
  Another copy of the same segment in which the batch is intact.

Versions
  All. Dumps print isvalid on batch lines. The record lines of deep dumps from
  0.11 to 2.1 always say isvalid: true; only the shallow dump tells.

See also
  KAFKA-5431; txn-forensics explain LOG001
  Rules: C 12.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import checks
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step, Way, step_if
from analyzer.detectors.subject import OfPartition, evidence_of
from analyzer.detectors.wording import counted, offsets

KINDS = ("wrong_crc", "bad_size", "garbage", "undecoded", "bad_offset", "bad_epoch", "tool_died")
"""The kinds of `damage` that are corruption; the others are notes in the coverage."""

UNCHECKED = ("bad_offset", "bad_epoch")
"""Damage in what no checksum covers: the rest of the batch is whole."""

PLACE = ("capture", "topic", "partition", "first_offset")


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfPartition):
    """A damaged place in a log; `others` is the number of replicas without damage at this offset."""

    segment: int
    damage: str
    position: int | None
    bytes: int | None
    first_offset: int | None
    last_offset: int | None
    batches: int | None
    control: bool
    said: str | None
    others: int
    ref: Ref | None


def find(damage: DataFrame, logs: DataFrame) -> DataFrame:
    """Return one row per damaged offset of a partition, from the first replica that has the damage."""
    corrupt = damage.where(F.col("damage").isin(*KINDS) & F.col("topic").isNotNull())
    fields = [field.name for field in dataclasses.fields(Evidence) if field.name != "others"]
    rank = F.struct("replica", F.array_position(F.array(*map(F.lit, KINDS)), F.col("damage")), "path", "position")
    first = corrupt.groupBy(*PLACE).agg(
        F.min_by(F.struct(*fields), rank).alias("found"), F.countDistinct("replica").alias("copies")
    )
    replicas = logs.groupBy("capture", "topic", "partition").agg(F.countDistinct("replica").alias("replicas"))
    return evidence_of(
        Evidence,
        first.join(replicas, ["capture", "topic", "partition"], "left"),
        **{name: f"found.{name}" for name in fields},
        others=F.greatest(F.coalesce("replicas", "copies") - F.col("copies"), F.lit(0)),
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    first = None if e.first_offset is None else offsets(e.first_offset, e.last_offset)
    other = f"{counted(e.others, 'other replica')} of it in this capture {'has' if e.others == 1 else 'have'} no damage"
    control = "it is a control batch: whether it said COMMIT or ABORT must not be read from it"
    remedy = "Without a whole copy, what these batches held is lost."
    if e.others:
        remedy = "If the broker's own file is damaged, let it fetch the partition anew from a replica that is whole."
    return Explanation(
        headline=f"{e.place} is damaged at {'an unknown offset' if first is None else f'offset {first}'}: {_short(e)}",
        label="damaged bytes",
        confidence="likely" if e.damage == "tool_died" else "certain",
        steps=(
            Step(_what(e), e.ref),
            *step_if(e.control and e.damage not in UNCHECKED, control),
            *step_if(e.others, f"{other} at this offset"),
        ),
        cause=(
            "the disk, its controller or the file system returned other bytes than the broker wrote",
            "the file was damaged while it was copied: the broker's own may be whole",
        ),
        refuted_by=f"another copy of segment {e.segment:020d} of {e.place} in which these bytes are whole",
        otherwise="a damaged copy of a partition that is intact",
        settled_by=f"the same segment of {e.place} from another replica, or copied once more, with its checksum",
        action=Action(
            kind="fetch",
            word="copy segment again",
            summary=f"COPY THE SEGMENT AGAIN, and from another replica, and compare. {remedy}",
            check=checks.of_segment(
                e.segment, "isvalid: true on every batch, run in the partition's folder on the broker itself"
            ),
            warning="no abort on what a damaged batch says: neither its producer nor its marker can be trusted",
        ),
    )


def _what(e: Evidence) -> str:
    """Return what is wrong, with its place."""
    size = "" if e.bytes is None else f", {counted(e.bytes, 'byte')} at position {e.position}"
    return {
        "wrong_crc": f"{counted(e.batches, 'batch').replace('batchs', 'batches')}{size}: the checksum does not hold",
        "bad_size": f"the length field of the batch is wrong{size} that belong to no batch",
        "garbage": f"bytes that are no batch{size}",
        "undecoded": f"a batch whose records cannot be decoded{size}, though its checksum holds",
        "bad_offset": f"the base offset of the batch{_says(e)} does not fit its place in the segment{size}",
        "bad_epoch": f"the batch's leader epoch{_says(e)} does not fit between those of the batches beside it{size}",
        "tool_died": f"the dump ends after this batch, and the tool said: {e.said}",
    }.get(e.damage, e.damage)


def _says(e: Evidence) -> str:
    return "" if e.said is None else f" says {e.said}, which"


def _short(e: Evidence) -> str:
    return {
        "wrong_crc": "wrong checksum",
        "bad_size": "a length field that lies",
        "garbage": "bytes that are no batch",
        "undecoded": "records that cannot be decoded",
        "bad_offset": "a base offset that does not fit",
        "bad_epoch": "a leader epoch that does not fit",
        "tool_died": "the dump tool died here",
    }.get(e.damage, e.damage)


DETECTOR = Detector("LOG002", "critical", Way(("damage",), Evidence, find, explain, beside=("logs",), needs=()))
