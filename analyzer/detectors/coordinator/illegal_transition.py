"""Two successive states of a transactional id that the coordinator's state machine forbids.

How it looks
  __transaction_state-3, no offset missing between the two records
    offset 41  state=Ongoing  producerId=7
    offset 42  state=Empty    producerId=9      <- Ongoing was never ended

Why it happens
  A coordinator that did not know the id's state overwrote it: it lost its
  cache while loading (seen on 3.5.2: "Finished loading 0 transaction metadata"
  from a partition that is not empty), or two brokers both acted as its
  coordinator. Or a record is damaged.

What waits
  Readers of the transaction that was overwritten: nothing will end it. In its
  data partitions it shows up as hanging_never_registered or
  hanging_late_write.

Is an abort safe
  See the finding of the data partition. No command repairs the history.

How sure
  certain   both records and every offset between them are here

What it is not
  A gap in the history: compaction removes early states, so two records are
  compared only if no offset between them is missing. A state that is written
  twice and an abort with nothing open (KIP-890) are legal. A step that was
  not replicated in time is taken back: it stays in the log, and the same
  coordinator, in the same leader epoch, goes on from the state before.

What would refute it
  Nothing in these files. Another replica's copy may still have the record
  that was lost.

Versions
  All.

See also
  KIP-98, KIP-890, KIP-939, KAFKA-20029; txn-forensics explain TXN003, RTE002
  Rules: A 14.
"""

import dataclasses

from pyspark.sql import DataFrame

from analyzer.detectors import checks
from analyzer.detectors.coordinator.words import OfRecord, of_record
from analyzer.detectors.model import Action, Detector, Explanation, Step, Way
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import producer
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfRecord):
    """A record of an id whose state may not follow the one before it."""

    before_producer_id: int


def find(forbidden_orders: DataFrame) -> DataFrame:
    """Return the records whose state may not follow the one before (RULES A 14)."""
    return evidence_of(Evidence, forbidden_orders.where("NOT forgets"), **of_record())


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    how = "it lost its cache while loading, or two brokers both acted as its coordinator"
    return Explanation(
        headline=f"{e.transactional_id} went from {e.before_state} to {e.state}, a step that no coordinator may take",
        label="illegal state change",
        confidence="certain",
        steps=(
            Step(f"{e.transactional_id} is {e.before_state} (producer {e.before_producer_id})", e.before_ref),
            Step(
                f"its next record, at {moment(e.timestamp)}, says {e.state} "
                f"({producer(e.producer_id, e.producer_epoch)}); no offset is missing between them",
                e.ref,
            ),
        ),
        cause=(f"a coordinator wrote without knowing the state before: {how}",),
        refuted_by="nothing in these files",
        settled_by=f"the other replicas' copies of {e.topic}-{e.partition}",
        action=Action(
            kind="fetch",
            word="see its findings",
            summary=f"SEE ITS FINDINGS: the transaction of producer {e.before_producer_id} was overwritten and nothing "
            "will end it; the findings of its partitions say what to do.",
            check=checks.of_id(e.transactional_id, e.state),
        ),
    )


DETECTOR = Detector(
    "TXN012", "warning", Way(("forbidden_orders",), Evidence, find, explain, needs=("coordinator_states",))
)
