"""Every plan there is: each detector's smallest finding, by topic and version of the brokers, in a document of its own."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent / "detectors"))

from test_contract import finding_of, smallest

from analyzer.detectors.registry import ALL
from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.report.actions.plan import plan
from analyzer.report.actions.steps import Step

TOPICS = {"data": "orders", "compacted": "balances", "offsets": OFFSETS_TOPIC}
VERSIONS = {"before 2.8": "2.7.2", "3.x": "3.5.2", "3.9": "3.9.1", "4.x": "4.1.1", "4.2": "4.2.0", "unknown": None}
DECISIONS = ("COMMIT", "ABORT")


class Plan(NamedTuple):
    """A plan, and what it is for."""

    code: str
    kind: str
    topic: str
    version: str
    finding: dict[str, Any]
    steps: tuple[Step, ...]


def plans(owner: str = "pay-1", group: str = "agg", data: str = "orders") -> Iterator[Plan]:
    """Yield the plan of every finding on every kind of topic and for every version, without repeating one."""
    seen = set()
    for detector in ALL:
        for topic, name in (TOPICS | {"data": data}).items():
            for decision in DECISIONS:
                given = {
                    "decision": decision,
                    "latest_decision": decision,
                    "topic": name,
                    "group": group,
                    "group_name": group,
                }
                finding = finding_of(detector, smallest(detector, owner, **_known(detector, given)))
                if topic == "compacted":
                    finding["compacted"] = True
                for version, number in VERSIONS.items():
                    steps = plan(finding, document_of(finding, number, group))
                    if (steps, version) not in seen:
                        seen.add((steps, version))
                        yield Plan(detector.code, finding["action"]["kind"], topic, version, finding, steps)


def _known(detector: Any, given: dict[str, Any]) -> dict[str, Any]:
    if detector.code in {"RTE001", "RTE002", "RTE003", "RTE004"}:
        given = given | {"topic": "__transaction_state"}
    if detector.code == "RTE004":
        state = "PrepareCommit" if given["decision"] == "COMMIT" else "Ongoing"
        given |= {"state": state, "served": False, "open_count": 1, "open_topic": "orders", "open_partition": 4,
                  "open_first": 70}  # fmt: skip
    if detector.code == "TXN001":
        given |= {"state_sound": given["decision"] == "ABORT"}
    return given


def document_of(finding: dict[str, Any], version: str | None, group: str) -> dict[str, Any]:
    """Return a document with this finding, its open transaction, and two positions that are pending in it."""
    place = (finding["topic"], finding["partition"], finding["first_offset"])
    own = {
        "topic": finding["topic"], "partition": finding["partition"], "replica": "1", "authority": True,
        "producer_id": finding["producer_id"], "producer_epoch": 0, "highest_data_epoch": 3, "coordinator_epoch": 5,
        "transactional_id": finding["transactional_id"], "first_offset": finding["first_offset"],
        "last_offset": finding["last_offset"], "verdict": finding["name"], "finding": finding["id"],
    }  # fmt: skip
    if str(finding["topic"]).startswith("__transaction_state"):
        own |= {"topic": "orders", "partition": 4, "first_offset": 70, "last_offset": 72}
        place = ("orders", 4, 70)
    position = {
        "topic": finding["topic"], "partition": finding["partition"], "producer_id": finding["producer_id"],
        "group": group, "committed_topic": "clicks",
    }  # fmt: skip
    return {
        "case": "/cases/one", "capture": {"name": "c", "captured_at": 9, "kafka_version": version},
        "findings": [finding], "open_transactions": [own] if None not in place else [],
        "partitions": [], "routing": {"counts": []},
        "pending_positions": [
            position | {"committed_partition": 0, "pending": 9, "committed": 4},
            position | {"committed_partition": 1, "pending": 8, "committed": 8},
        ],
    }  # fmt: skip
