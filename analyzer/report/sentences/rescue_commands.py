"""The commands that save records which only a copy that is not the leader has."""

import shlex
from collections.abc import Mapping
from typing import Any

from analyzer.report.sentences.cells import is_safe
from analyzer.report.sentences.commands import case_word

LOST_FOLDER = "rescued-lost"


def rescue_lost(case: str) -> str | None:
    """Return the command that saves all such records of a capture; None where the case's name is unsafe in a shell."""
    return f"txn-forensics rescue --case {case_word(case)} --lost -o {LOST_FOLDER}" if is_safe(case) else None


def rescue_one(row: Mapping[str, Any], case: str) -> str | None:
    """Return the command that saves the records of one of them."""
    topic, first = row["topic"], row["first_offset"]
    if not (is_safe(case) and is_safe(topic) and is_safe(row["replica"])):
        return None
    place = f"--topic {shlex.quote(topic)} --partition {row['partition']} --producer-id {row['producer_id']}"
    offsets = f"--replica {shlex.quote(row['replica'])} --from {first} --to {row['last_offset']}"
    out = shlex.quote(f"rescued-{topic}-{row['partition']}-{first}")
    return f"txn-forensics rescue --case {case_word(case)} {place} {offsets} -o {out}"
