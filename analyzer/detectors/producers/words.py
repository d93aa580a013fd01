"""What pid_hijack and epoch_fence_without_coordinator share: data with an epoch that no coordinator record has."""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import id_blocks
from analyzer.detectors.conditions import PRODUCER
from analyzer.detectors.model import Confidence, Ref, Step, step_if
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import counted, offsets
from analyzer.tables.moments import moment

BY_BROKER = frozenset({"broker_clock", "marker_refused"})
"""What shows the age of the data without its client's clock."""


@dataclasses.dataclass(frozen=True, slots=True)
class ForeignEpoch(id_blocks.Given):
    """Data with an epoch above every epoch that the coordinator gave its producer id."""

    transactional_id: str
    first_offset: int
    last_offset: int
    records: int
    first_ref: Ref | None
    transactional: bool
    is_open: bool
    proof: str
    one_reign: bool
    before_ms: int
    highest_epoch: int
    newest_state: str
    newest_ms: int
    newest_ref: Ref | None
    refused_decision: str | None
    refused_ms: int | None
    refused_ref: Ref | None


def evidence(foreign: DataFrame, opens: DataFrame, blocks: DataFrame) -> DataFrame:
    """Return rows of `foreign_epochs` as evidence; `is_open`: this data opens a transaction that is still open."""
    joined = foreign.join(opens.select(*PRODUCER, F.col("first_offset").alias("open_from")), list(PRODUCER), "left")
    open_here = F.coalesce(F.col("open_from").between(F.col("first_offset"), F.col("last_offset")), F.lit(False))
    return evidence_of(
        ForeignEpoch,
        id_blocks.with_block(joined, blocks),
        first_ref="first.batch_ref",
        is_open=open_here,
        newest_state=F.coalesce("newest.state", F.lit("deleted")),
        newest_ms="newest.timestamp",
        newest_ref="newest.ref",
        refused_decision="refused.decision",
        refused_ms="refused.decided_ms",
        refused_ref="refused.prepared_ref",
    )


def confidence(e: ForeignEpoch) -> Confidence:
    """Return certain if more than a client's clock shows that the data is older, and no record can have been lost."""
    return "certain" if e.proof in BY_BROKER and e.one_reign else "likely"


def steps(e: ForeignEpoch) -> tuple[Step, ...]:
    """Return the steps: the data, what the coordinator gave, why that copy is new enough, what the leader refuses."""
    kind = "transactional" if e.transactional else "not transactional"
    data = Step(
        f"{counted(e.records, 'record')} at {offsets(e.first_offset, e.last_offset)}, {kind}, have epoch "
        f"{e.producer_epoch} of producer {e.producer_id}",
        e.first_ref,
    )
    known = Step(
        f"the producer id belongs to {e.transactional_id}; the highest epoch in any record of its coordinator, and of "
        f"its markers here, is {e.highest_epoch}; the newest says {e.newest_state} at {moment(e.newest_ms)}",
        e.newest_ref,
    )
    refused = (
        f"the coordinator decided {e.refused_decision} at {moment(e.refused_ms)} with epoch {e.highest_epoch} or "
        "below; the marker is not here: the leader refuses it, its epoch is too low"
    )
    return (
        data, known, Step(_older(e)), *step_if(e.refused_decision, refused, e.refused_ref),
        *id_blocks.steps(e, e.before_ms),
    )  # fmt: skip


def _older(e: ForeignEpoch) -> str:
    """Return why the coordinator's record is newer than the data."""
    when = moment(e.before_ms)
    return {
        "broker_clock": f"by the broker's own clock the data was there by {when}, before that record",
        "marker_refused": f"the data is of {when}, before the decision whose marker this partition does not have",
        "later_transaction": f"the data is of {when} by its client's clock; the coordinator began a later transaction "
        "with the lower epoch",
    }.get(e.proof, f"the data is of {when} by its client's clock, before that record")


def otherwise(e: ForeignEpoch) -> str | None:
    """Return what else could explain the epoch."""
    slow = "a client whose clock is slow, together with a copy of the coordinator's file that is older than this data"
    lost = (
        f"a coordinator that gave epoch {e.producer_epoch} and lost the record of it: several leaders wrote what is "
        "here of the id, or not all of its history is here"
    )
    told = [*([] if e.proof in BY_BROKER else [slow]), *([] if e.one_reign else [lost])]
    return "; or ".join(told) or None
