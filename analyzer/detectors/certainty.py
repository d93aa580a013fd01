"""How sure three things are, apart: that a transaction hangs, why, and that an abort of it is safe."""

from typing import Literal

from analyzer.detectors.model import Ref, Sure
from analyzer.detectors.wording import span
from analyzer.kafka.clocks import COPYING_MS
from analyzer.kafka.topics import OFFSETS_TOPIC, STATE_TOPIC
from analyzer.tables.moments import moment

Part = tuple[Literal["certain", "likely", "possible", "yes", "no", "ask"], str, Ref | None]


def certainty(hangs: Part, why: Part, abort: Part) -> tuple[Sure, ...]:
    """Return the three parts."""
    return Sure("it hangs", *hangs), Sure("why", *why), Sure("an abort is safe", *abort)


def copied_after(captured_at: int, newest_ms: int | None, state_newest_ms: int | None) -> str:
    """Say why the coordinator's files are not merely older than the data: a later record in them, or the data's age.

    `state_newest_ms`: the time of the newest record in the id's state partition.
    """
    age_ms = None if newest_ms is None else captured_at - newest_ms
    if age_ms is None or age_ms < COPYING_MS:
        until = "" if state_newest_ms is None else f": its partition has a record of {moment(state_newest_ms)}"
        return f"{STATE_TOPIC} was copied after the data was written{until}"
    return f"the data is {span(age_ms)} older than the capture"


RESUMES = "a client that commits from a checkpoint (a Flink KafkaSink) or in two phases"
"""Whose transactions are not lost while their coordinator says Ongoing: its restart commits them."""


def undecided(what: str, ref: Ref | None) -> Part:
    """Return whether an abort is safe while nothing is decided: unless the client can resume and commit `what`.

    A Flink KafkaSink commits with the producer id and epoch of its checkpoint, a two-phase commit is decided outside
    Kafka: for both, an abort of records that the job counts as written loses them.
    """
    return "ask", f"nothing was decided; safe unless {what} were written by {RESUMES}: ask the owner", ref


def by_decision(decision: str | None, ref: Ref | None, topic: str) -> Part:
    """Return whether an abort is safe by what was decided last for the data; commits of offsets are not rescued."""
    what, first = ("records", "rescue them first")
    if topic == OFFSETS_TOPIC:
        what, first = ("offset commits", "note the positions first")
    if decision == "ABORT":
        return "yes", f"ABORT was decided, so no client was told that these {what} are committed", ref
    if decision == "COMMIT":
        return "no", f"COMMIT was decided, so the producer may believe that the {what} are committed; {first}", ref
    return "no", f"what was decided is not known: the producer may believe that the {what} are committed; {first}", ref
