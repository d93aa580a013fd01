"""Folds findings: each consequence gets the id of the cause that explains it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Finding = dict[str, Any]
Key = tuple[Any, ...]

LOG = ("topic", "partition")
COPY = (*LOG, "replica")
IN_LOG = (*LOG, "producer_id")
ID = ("transactional_id", "producer_id")
OF_STATE = (*ID, "id_state")
"""What both must be about where an id has a newer transaction than the one that lacks its marker."""
TOPIC = ("topic",)
PRIOR = ("topic", "prior_partition", "expansion")

HANGS = ("TXN013", "TXN006", "TXN008", "TXN007", "TXN009", "TXN001", "TXN002", "TXN003", "TXN004", "TXN005", "PID001")
"""Verdicts on open transactions; the finding of what waits for such a transaction folds under its verdict."""

FOLDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("TXN015", "LOG001", COPY),
    ("TXN006", "TXN004", IN_LOG),
    ("TXN006", "TXN005", IN_LOG),
    ("TXN008", "TXN004", IN_LOG),
    ("TXN008", "TXN005", IN_LOG),
    ("TXN008", "TXN011", IN_LOG),
    ("TXN008", "TXN010", IN_LOG),
    ("TXN008", "LOG001", LOG),
    ("TXN007", "TXN011", IN_LOG),
    ("PID001", "PID002", IN_LOG),
    ("PID001", "TXN006", IN_LOG),
    ("PID002", "TXN006", IN_LOG),
    *((hang, "GRP002", IN_LOG) for hang in HANGS),
    *(("TXN014", hang, ID) for hang in ("TXN001", "TXN002", "TXN003", "TXN009", "TXN013")),
    ("RTE004", "TXN001", ID),
    ("RTE004", "TXN006", ID),
    *(("RTE004", waits, OF_STATE) for waits in ("TXN004", "TXN005")),
    ("RTE004", "GRP002", ID),
    ("RTE003", "RTE001", TOPIC),
    ("RTE003", "RTE002", TOPIC),
    ("RTE003", "RTE004", TOPIC),
    ("ORD003", "ORD001", PRIOR),
    ("ORD002", "ORD001", PRIOR),
)
"""Cause, consequence, and what both must be about (RULES A 17). A consequence folds under the first cause that fits."""


def folded(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings with `folded_under` (the cause's id) and `consequences` (ids, in order) filled in.

    All findings stay in the list, in its order. A cause may itself be a consequence; the head of a fold is the one
    whose `folded_under` is None.
    """
    out = [finding | {"folded_under": None, "consequences": []} for finding in findings]
    causes = _by_key(out)
    for finding in out:
        for cause_code, code, about in FOLDS:
            found = causes.get(_key(finding, cause_code, about)) if code == finding["code"] else None
            if found is not None and found is not finding:
                finding["folded_under"] = found["id"]
                found["consequences"].append(finding["id"])
                break
    return out


def head_of(findings: Sequence[Finding]) -> Callable[[Finding], Finding]:
    """Return a function from a finding to the head of its fold."""
    by_id = {(finding["capture"], finding["id"]): finding for finding in findings}

    def head(finding: Finding) -> Finding:
        while finding["folded_under"] is not None:
            finding = by_id[finding["capture"], finding["folded_under"]]
        return finding

    return head


def _by_key(findings: Sequence[Finding]) -> dict[Key, Finding]:
    out: dict[Key, Finding] = {}
    for finding in findings:
        for about in {about for cause, _, about in FOLDS if cause == finding["code"]}:
            out.setdefault(_key(finding, finding["code"], about), finding)
    return out


def _key(finding: Mapping[str, Any], code: str, about: tuple[str, ...]) -> Key:
    return (finding["capture"], code, about, *[finding.get(name) for name in about])
