"""Which finding folds under which: one cause is one headline."""

import pytest

from analyzer.detectors.folding import folded

PLACE = {
    "capture": "c",
    "topic": "orders",
    "partition": 0,
    "prior_partition": 0,
    "producer_id": 7,
    "transactional_id": "a",
}


def finding(code: str, **differs) -> dict:
    return PLACE | {"code": code, "id": f"{code}-"} | differs


def heads(*findings: dict) -> dict[str, str | None]:
    return {one["code"]: one["folded_under"] for one in folded(findings)}


@pytest.mark.parametrize("cause", ["ORD002", "ORD003"])
def test_broken_order_folds_by_the_prior_partition_of_its_keys(cause):
    broken = finding("ORD001", partition=4)
    assert heads(finding(cause), broken)["ORD001"] == f"{cause}-"
    assert heads(finding(cause, partition=4, prior_partition=4), broken)["ORD001"] is None
    assert heads(finding(cause, topic="other"), broken)["ORD001"] is None


def test_a_group_ahead_of_its_threshold_explains_broken_order_before_a_stale_producer_does():
    assert heads(finding("ORD002"), finding("ORD003"), finding("ORD001", partition=4)) == {
        "ORD001": "ORD003-", "ORD002": None, "ORD003": None,
    }  # fmt: skip


def test_pending_commits_of_an_orphaned_transaction_fold_under_it():
    pending = finding("GRP002", topic="__consumer_offsets")
    assert heads(finding("RTE004", topic="__transaction_state"), pending)["GRP002"] == "RTE004-"
    assert heads(finding("RTE004", transactional_id="b"), pending)["GRP002"] is None
    overdue = finding("TXN001", topic="__consumer_offsets")
    found = heads(finding("RTE004", topic="__transaction_state"), overdue, pending)
    assert found == {"RTE004": None, "TXN001": "RTE004-", "GRP002": "TXN001-"}


@pytest.mark.parametrize("lacks", ["TXN004", "TXN005"])
def test_a_decision_that_an_orphan_waits_with_folds_under_it_and_an_older_one_does_not(lacks):
    orphan = finding("RTE004", topic="__transaction_state", id_state="PrepareCommit")
    assert heads(orphan, finding(lacks, id_state="PrepareCommit"))[lacks] == "RTE004-"
    assert heads(orphan | {"id_state": "Ongoing"}, finding(lacks, id_state="CompleteCommit"))[lacks] is None
