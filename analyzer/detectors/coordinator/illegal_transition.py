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
  twice and an abort with nothing open (KIP-890) are legal.

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
from pyspark.sql import functions as F

from analyzer.detectors import checks
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step, Way
from analyzer.detectors.wording import producer
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """A record of an id whose state may not follow the one before it."""

    topic: str
    partition: int
    transactional_id: str
    producer_id: int
    producer_epoch: int
    first_offset: int
    last_offset: int
    state: str
    timestamp: int
    ref: Ref | None
    before_state: str
    before_producer_id: int
    before_ref: Ref | None


def find(forbidden_orders: DataFrame) -> DataFrame:
    """Return the records that may not follow the one before (RULES A 14)."""
    return forbidden_orders.select(
        "capture", F.lit(STATE_TOPIC).alias("topic"), F.col("state_partition").alias("partition"),
        "transactional_id", "producer_id", "producer_epoch", F.col("offset").alias("first_offset"),
        F.col("offset").alias("last_offset"), "state", "timestamp", "ref", "before_state", "before_producer_id",
        "before_ref",
    )  # fmt: skip


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
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
        cause=(
            (
                "a coordinator wrote without knowing the state before: it lost its cache while loading, or two brokers "
                "both acted as its coordinator"
            ),
        ),
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
    "TXN012",
    "illegal_transition",
    "warning",
    __doc__,
    Way(("forbidden_orders",), Evidence, find, explain, needs=("coordinator_states",)),
)
