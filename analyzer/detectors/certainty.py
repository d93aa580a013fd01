"""How sure three things are, apart: that a transaction hangs, why, and that an abort of it is safe."""

from typing import Literal

from analyzer.detectors.model import Ref, Sure

Part = tuple[Literal["certain", "likely", "possible", "yes", "no"], str, Ref | None]
RESCUE = "rescue them first"


def certainty(hangs: Part, why: Part, abort: Part) -> tuple[Sure, ...]:
    """Return the three parts."""
    return Sure("it hangs", *hangs), Sure("why", *why), Sure("an abort is safe", *abort)


def by_decision(decision: str | None, ref: Ref | None) -> Part:
    """Return whether an abort is safe by what was decided last for the data."""
    if decision == "ABORT":
        return "yes", "ABORT was decided, so no client was told that these records are committed", ref
    if decision == "COMMIT":
        return "no", f"COMMIT was decided, so the records may count as written; {RESCUE}", ref
    return "no", f"what was decided is not known, so the records may count as written; {RESCUE}", ref
