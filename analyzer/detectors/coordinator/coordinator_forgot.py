"""A coordinator gave an id a new producer id while a transaction of the old one was under way.

How it looks
  __transaction_state-7, two records of one id, no offset missing between
    state=Ongoing producerId=12 producerEpoch=3 partitions=[orders-0]
    state=Empty   producerId=4001 producerEpoch=0
  orders-0
  40..44 data    producer 12 epoch 3     <- open, and nothing will end it

Why it happens
  InitProducerId ends a running transaction first: PrepareAbort, CompleteAbort.
  A coordinator that answers it from an empty cache knows of no transaction
  and gives the id a new producer id. Seen on a broker that became the leader
  of the state partition again after a pause and had loaded 0 transactions.

What waits
  read_committed readers of every partition that holds data of the old
  producer id: they stop at the first of these records.

Is an abort safe
  Yes, if the record before is Ongoing or PrepareAbort: no COMMIT was decided.
  If it is PrepareCommit: NO. The producer may believe that the records are
  committed. Save them first.

How sure
  certain   no offset is missing between the two records, the epoch was not
            exhausted, and the id had not expired

What it is not
  A producer id that is used up: from epoch 32766 on the id gets a new one,
  after its transaction has ended. An id that expired
  (transactional.id.expiration.ms) is given a new producer id as well.

What would refute it
  A record of the id between the two in another replica's copy.

Versions
  Seen on 3.5.2; no KAFKA id is known.

See also
  KIP-98, KIP-360; txn-forensics explain TXN012, TXN013
  Rules: D 8.
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
    """Two successive records of one id: a transaction under way, then a new producer id."""

    new_producer_id: int
    new_epoch: int
    before_ms: int


def find(forbidden_orders: DataFrame) -> DataFrame:
    """Return the records that give an id a new producer id in the middle of a transaction (RULES D 8)."""
    return evidence_of(
        Evidence,
        forbidden_orders.where("forgets"),
        **of_record(),
        producer_id="before_producer_id",
        producer_epoch="before_epoch",
        new_producer_id="producer_id",
        new_epoch="producer_epoch",
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    old, new = producer(e.producer_id, e.producer_epoch), producer(e.new_producer_id, e.new_epoch)
    committing = e.before_state == "PrepareCommit"
    save = " Save its records first: COMMIT was decided." if committing else ""
    when = "before it had loaded the id's state, or after its state was lost in a change of leader"
    return Explanation(
        headline=f"the coordinator forgot a transaction of {e.transactional_id} and gave the id a new producer id",
        label="forgotten by the coordinator",
        confidence="certain",
        steps=(
            Step(f"{e.transactional_id} is {e.before_state} with {old} at {moment(e.before_ms)}", e.before_ref),
            Step(f"its next record, at {moment(e.timestamp)}, is {e.state} with {new}", e.ref),
            Step("no offset is missing between the two, the epoch was not exhausted, and the id had not expired"),
            Step(f"nothing will end what producer {e.producer_id} has open"),
        ),
        cause=(f"a coordinator answered InitProducerId {when}",),
        refuted_by=f"a record of {e.transactional_id} between the two in another replica's {e.topic}-{e.partition}",
        settled_by=f"the other replicas' copies of {e.topic}-{e.partition}",
        action=Action(
            kind="fetch",
            word="see its findings",
            summary=f"SEE ITS FINDINGS: end what producer {e.producer_id} left open partition by partition, as each of "
            f"them says.{save}",
            check=checks.of_id(e.transactional_id, f"producer {e.new_producer_id}"),
        ),
    )


DETECTOR = Detector(
    "TXN014", "critical", Way(("forbidden_orders",), Evidence, find, explain, needs=("coordinator_states",))
)
