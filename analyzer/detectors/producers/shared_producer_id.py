"""Two transactional ids have one producer id: what one of them writes, the marker of the other may end.

How it looks
  __transaction_state
    transactionalId=pay-1  producerId:7 ... state=Ongoing
    transactionalId=inv-9  producerId:7 ... state=CompleteAbort   <- 7 again

Why it happens
  A producer id is given once. Brokers take blocks of 1,000 of them from the
  controllers, and blocks that overlap give one id twice (KAFKA-20031). Or the
  files are of two clusters. Or records were written into __transaction_state
  by a tool.

What waits
  Nothing by itself. Leaders know producers by this number alone, so both ids
  fence each other, their sequences break each other, and the marker of one
  ends what the other has open.

Is an abort safe
  Ask first. kafka-transactions.sh abort names the producer id, so it ends what
  either of them has open: look at both ids before it.

How sure
  certain   records of both ids with this producer id are here

What it is not
  An id in two partitions of __transaction_state (split_brain_id, RTE002), or
  an id with several producer ids, which is usual. Data of an epoch that no
  coordinator gave: pid_hijack (PID001).

What would refute it
  meta.properties or answers of tools that show the two files to be of two
  clusters.

Versions
  All; KAFKA-20031 is fixed in 4.3.0.

See also
  KIP-730; txn-forensics explain KAFKA-20031, PID001, RTE002
  Rules: C 15.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import checks
from analyzer.detectors.causes import Cause
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step, Way
from analyzer.detectors.subject import evidence_of
from analyzer.kafka.known_bugs.coordinator import OVERLAPPING_BLOCKS
from analyzer.kafka.topics import STATE_TOPIC


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """A producer id that two transactional ids have, by the newest record of each."""

    topic: str
    partition: int
    transactional_id: str
    producer_id: int
    other_id: str
    other_partition: int
    ids: int
    ref: Ref | None
    other_ref: Ref | None


def find(shared: DataFrame) -> DataFrame:
    """Return the producer ids that two transactional ids have (RULES C 15)."""
    return evidence_of(
        Evidence, shared, topic=F.lit(STATE_TOPIC), partition="state_partition", other_partition="other_state_partition"
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    return Explanation(
        headline=f"producer id {e.producer_id} belongs to {e.ids} transactional ids: {e.transactional_id} and "
        f"{e.other_id}",
        label=f"shares producer id {e.producer_id}",
        confidence="certain",
        steps=(
            Step(f"{e.transactional_id} has producer id {e.producer_id} in {STATE_TOPIC}-{e.partition}", e.ref),
            Step(f"so has {e.other_id} in {STATE_TOPIC}-{e.other_partition}", e.other_ref),
            Step("leaders know a producer by this number alone: each of the two fences the other, and its markers end "
                 "what the other has open"),
        ),
        cause=(
            Cause(
                f"two brokers were given blocks of producer ids that overlap ({OVERLAPPING_BLOCKS.named()})",
                bug=OVERLAPPING_BLOCKS, among="shared",
            ),
            Cause("the capture has files of two clusters", among="shared"),
            Cause(f"somebody wrote records into {STATE_TOPIC}", among="shared"),
        ),
        refuted_by="a cluster id of each file that shows them to be of two clusters",
        settled_by="meta.properties of the brokers, and the controllers' log (__cluster_metadata)",
        action=Action(
            kind="none",
            word="new transactional.id",
            summary=f"GIVE BOTH APPLICATIONS A NEW transactional.id, {e.transactional_id} and {e.other_id}: a new "
            f"id is given another producer id. DO NOT ABORT anything of producer {e.producer_id} before "
            "you looked at both.",
            check=checks.of_id(e.transactional_id),
        ),
    )  # fmt: skip


DETECTOR = Detector(
    "PID004", "critical", Way(("shared_producer_ids",), Evidence, find, explain, needs=("coordinator_states",))
)
