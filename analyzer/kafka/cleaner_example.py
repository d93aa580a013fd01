"""The worked example of KAFKA-13727, pass by pass, as text."""

import textwrap

from analyzer.kafka.cleaner import REPORTED, Cleaned, Record, reported_example

WIDTH = 78


def worked_example() -> str:
    """Return the original report's log under the affected and the fixed cleaner, in lines of at most 78 columns."""
    lines = ["The report's own example, a map of 2 keys, passes a day apart:", f"  log     {_log(REPORTED)}"]
    for title, fixed in (("affected", False), ("fixed", True)):
        lines += ["", f"  the {title} cleaner"]
        for number, done in enumerate(reported_example(fixed=fixed), start=1):
            lines += _pass(number, done)
    return "\n".join(lines) + "\n"


def _pass(number: int, done: Cleaned) -> list[str]:
    told = textwrap.wrap("; ".join(done.steps), WIDTH, initial_indent=f"  pass {number}  ", subsequent_indent=" " * 10)
    index = ", ".join(f"producer {e.producer_id} {e.first_offset}..{e.last_offset}" for e in done.index) or "empty"
    return [*told, f"          log     {_log(done.records)}", f"          txnindex {index}"]


def _log(records: tuple[Record, ...]) -> str:
    return " ".join(f"{one.offset}:{one.marker or one.key}" for one in records)
