"""The evidence of marker_cleaned_away, and the words of its first stage: only the entry of the .txnindex is gone."""

import dataclasses

from analyzer.detectors.causes import CLEANED_INDEX
from analyzer.detectors.model import Action, Explanation, Readers, Ref, Step
from analyzer.detectors.subject import OfData
from analyzer.detectors.wording import counted, offsets, producer


@dataclasses.dataclass(frozen=True, slots=True)
class Cleaned(OfData):
    """Aborted data that outlived its marker (stage done), or its entry in the txnindex (stage precursor).

    `open_on`: other brokers whose replicas have it open; `disputed`: nothing tells which of the replicas leads, and
    they do not agree whether it is open.
    """

    stage: str
    first_ref: Ref | None
    decision: str | None
    decided_ms: int | None
    decision_ref: Ref | None
    gap_offset: int | None
    gap_kind: str | None
    gap_ref: Ref | None
    gap_certain: bool | None
    snapshot_ref: Ref | None
    witness: str | None
    witness_ref: Ref | None
    broker_open: bool
    open_on: str | None
    disputed: bool | None
    marker_offset: int | None
    marker_ref: Ref | None
    index_path: str | None


def precursor(e: Cleaned) -> Explanation:
    """Put the finding of an entry that left the .txnindex into words."""
    writer = producer(e.producer_id, e.producer_epoch)
    who = f"{e.transactional_id} ({writer})" if e.transactional_id else writer
    wrote = offsets(e.first_offset, e.last_offset)
    are = "is" if e.records == 1 else "are"
    index = e.index_path or "the .txnindex of this segment, which is not here (it disappears when empty)"
    return Explanation(
        headline=f"{counted(e.records, 'aborted record')} in a cleaned log {are} shown to readers as committed",
        label="aborted, but shown to readers",
        confidence="likely" if e.index_path else "possible",
        steps=(
            Step(f"{who} wrote {wrote}", e.first_ref),
            Step(f"its ABORT marker is at offset {e.marker_offset}", e.marker_ref),
            Step(f"it has no entry in {index}; the cleaner has run here and kept the data as if it were committed"),
        ),
        cause=CLEANED_INDEX,
        refuted_by="an entry for this transaction in the .txnindex of the marker's segment",
        otherwise=None
        if e.index_path
        else "a log that the cleaner has not reached, with a .txnindex that was not collected",
        settled_by=None if e.index_path else "the .txnindex of the marker's segment",
        readers=Readers("wrong_data", e.records),
        action=Action(
            kind="none",
            word="notify consumers",
            summary=f"NOTIFY THE CONSUMERS' OWNERS, AND UPGRADE. {e.place} {wrote} was aborted, but "
            "read_committed readers have been getting it since the cleaner ran. After its delete horizon the marker "
            "goes too, and a broker that loads this log then will hang.",
        ),
    )
