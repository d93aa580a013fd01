"""The commands that save records: those of a finding, and those which only a copy that is not the leader has."""

import shlex
from collections.abc import Mapping
from typing import Any

from analyzer.report.sentences.cells import is_safe
from analyzer.report.sentences.commands import case_word

LOST_FOLDER = "rescued-lost"


def folder(finding_id: str) -> str:
    """Return the folder that the rescue of a finding writes."""
    return f"rescued-{finding_id}"


def rescue_finding(case: str, finding_id: str) -> str | None:
    """Return the command that saves the records of a finding; None where the case's name is unsafe in a shell."""
    return _rescue(case, f"--finding {finding_id}", folder(finding_id))


def rescue_lost(case: str) -> str | None:
    """Return the command that saves all records of a capture which only such a copy has."""
    return _rescue(case, "--lost", LOST_FOLDER)


def rescue_one(row: Mapping[str, Any], case: str) -> str | None:
    """Return the command that saves the records of one of them."""
    topic, first = row["topic"], row["first_offset"]
    if not (is_safe(topic) and is_safe(row["replica"])):
        return None
    place = f"--topic {shlex.quote(topic)} --partition {row['partition']} --producer-id {row['producer_id']}"
    offsets = f"--replica {shlex.quote(row['replica'])} --from {first} --to {row['last_offset']}"
    return _rescue(case, f"{place} {offsets}", shlex.quote(f"rescued-{topic}-{row['partition']}-{first}"))


def _rescue(case: str, which: str, out: str) -> str | None:
    return f"txn-forensics rescue --case {case_word(case)} {which} -o {out}" if is_safe(case) else None
