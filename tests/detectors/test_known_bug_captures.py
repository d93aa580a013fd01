"""Each known bug over whole captures: one in which a finding names it, and one that its release or settings rule out."""

import dataclasses
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from judged_together import judged_together
from pages import examples
from test_known_bugs import OTHERS, OWNED, files, with_it

from analyzer.kafka.known_bugs import ALL as BUGS, KnownBug

ANY = "4.1.1"
"""A release for bugs of no release, or of clients."""
ELSEWHERE = {"KAFKA-20090"}
"""Bugs whose captures test_known_bugs has; those of OWNED are in test_owners."""
EXAMPLES = examples()
HEADS = "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\tTransactionTimeoutMs\t"
ASKED = "$ kafka-transactions.sh --bootstrap-server b:9092 describe --transactional-id pay-1\n"


def answered(state: str) -> dict[str, str]:
    """What the coordinator answers of an id, and nothing else."""
    heads = f"{HEADS}CurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions"
    return {
        "capture.toml": "captured_at = 2026-01-01T10:10:00Z\n",
        "asked.txt": f"{ASKED}{heads}\n1\tpay-1\t7\t0\t{state}\t60000\t1767261600000\t600000\torders-0\n",
    }


def tiered(told: dict[str, str], value: str) -> dict[str, str]:
    """The same files with what kafka-topics.sh says of the topics."""
    topics = {path.split("/")[-2].rsplit("-", 1)[0] for path in told if "/" in path}
    head = "Topic: {0}\tTopicId: AAAAAAAAAAAAAAAAAAAAAQ\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: {1}\n"
    row = "\tTopic: {0}\tPartition: 0\tLeader: 0\tReplicas: 0\tIsr: 0\n"
    texts = [
        (head + row).format(topic, f"remote.storage.enable={value}")
        for topic in sorted(topics)
        if not topic.startswith("__")
    ]
    return told | {"kafka-topics.txt": "".join(texts)}


def released(told: dict[str, str], version: str) -> dict[str, str]:
    """The same files of brokers of a release."""
    lines = [line for line in told["capture.toml"].splitlines() if not line.startswith("kafka_version")]
    return told | {"capture.toml": "\n".join([f'kafka_version = "{version}"', *lines, ""])}


@dataclasses.dataclass(frozen=True, slots=True)
class Pair:
    """Captures that show findings of a bug's codes: in `named` they name it, in `ruled_out` they must not."""

    named: dict[str, dict[str, str]]
    ruled_out: dict[str, dict[str, str]]


def shown_by(codes: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """The examples of the pages that have findings of these codes."""
    return {
        one.name: one.files
        for one in EXAMPLES
        if {finding["code"] for finding in one.expect.get("finding", [])} & set(codes)
    }


PREPARED = "0 state pay-3 p9e{0} Ongoing orders-1 @0 t60000\n1 state pay-3 p9e{0} PrepareAbort orders-1 @0 t60000\n"
OF_ITS_OWN = {
    "KAFKA-20310": Pair(
        {
            "at 32766": files("4.2.0", "0 state old p9e32766 Ongoing orders-1 @0 t60000\n" + OTHERS, 32766),
            "prepared": files("4.2.0", PREPARED.format(32766), 32766),
        },
        {
            "at 5": files("4.2.0", "0 state old p9e5 Ongoing orders-1 @0 t60000\n" + OTHERS, 5),
            "4.3.0": files("4.3.0", "0 state old p9e32766 Ongoing orders-1 @0 t60000\n" + OTHERS, 32766),
            "4.3.0 prepared": files("4.3.0", PREPARED.format(32766), 32766),
        },
    ),
    "KAFKA-20732": Pair(
        {name: tiered(told, "true") for name, told in shown_by(("TXN009", "TXN015")).items()},
        {name: released(tiered(told, "false"), "4.3.0") for name, told in shown_by(("TXN009", "TXN015")).items()},
    ),
}
ANSWERS = {state: answered(state) for state in ("Ongoing", "PrepareCommit")}


def pair(bug: KnownBug) -> Pair:
    """The captures of a bug: its own, or the pages' examples of its findings on brokers with it and without it."""
    own = OF_ITS_OWN.get(bug.issue, Pair({}, {}))
    told = shown_by(bug.findings) | (ANSWERS if bug.issue in {"KAFKA-21181", "KAFKA-21481"} else {})
    named = own.named or told
    ruled_out = own.ruled_out
    if not ruled_out and bug.fixed and bug.software == "brokers":
        without = "3.7.2" if bug.issue == "KAFKA-19999" else ".".join(map(str, bug.fixed[-1]))
        ruled_out = {name: released(one, without) for name, one in told.items()}
    return Pair({name: released(one, with_it(bug) or ANY) for name, one in named.items()}, ruled_out)


TRIED = [bug for bug in BUGS if bug.software not in OWNED and bug.issue not in ELSEWHERE]


@judged_together
def documents():
    """The documents by bug, by named or ruled_out, and by capture."""
    told = {}
    for bug in TRIED:
        captures = pair(bug)
        for way in ("named", "ruled_out"):
            told |= {f"{bug.issue} {way} {name}": texts for name, texts in getattr(captures, way).items()}
    return told


def of(documents, bug, way):
    return [one for name, one in documents.items() if name.startswith(f"{bug.issue} {way} ")]


def naming(document, bug):
    """The codes of a document's findings, each with whether it names the bug."""
    return [
        (finding["code"], bug.issue in {one["issue"] for one in finding["known_bugs"]}, finding)
        for finding in document["findings"]
    ]


@pytest.mark.parametrize("bug", TRIED, ids=lambda bug: bug.issue)
def test_a_capture_shows_the_finding_with_the_bug_named(documents, bug):
    found = {code for one in of(documents, bug, "named") for code, named, _ in naming(one, bug) if named}
    assert found == set(bug.findings)


@pytest.mark.parametrize("bug", [bug for bug in TRIED if bug.fixed and bug.software == "brokers"], ids=lambda bug: bug.issue)  # fmt: skip
def test_a_release_or_a_setting_rules_it_out(documents, bug):
    """The same findings come, and none names it, unless as what an older release has left."""
    found = [one for document in of(documents, bug, "ruled_out") for one in naming(document, bug)]
    assert {code for code, _, _ in found} >= set(bug.findings)
    left = [finding["cause"] for _, named, finding in found if named]
    assert all(any(bug.issue in text and "before an upgrade" in text for text in cause) for cause in left), left
