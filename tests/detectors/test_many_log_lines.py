"""A broker's log of many starts of clients: what is rare is shown and asked about, however late it stands."""

import re

import pytest
from judged_captures import documents_of

from analyzer.kafka.reaching.reach import Reach
from analyzer.report.outline.log_lines import SHOWN, questions, some_of_each_kind

STARTED = (
    "[2026-11-30 01:{minute:02}:39,925] INFO [TransactionCoordinator id=1] Initialized transactionalId pay-tx-{id} with "
    "producerId {id} and producer epoch 0 on partition __transaction_state-2 "
    "(kafka.coordinator.transaction.TransactionCoordinator)\n"
)
UNCLEAN = (
    "[2026-11-30 02:25:02,928] INFO [QuorumController id=1] UNCLEAN partition change for fills-0 with topic ID "
    "5t7SNCbnRMCYWgMJTA3FWA: isr: [2] -> [3], leader: 2 -> 3, leaderRecoveryState: RECOVERED -> RECOVERING, "
    "leaderEpoch: 2 -> 3, partitionEpoch: 6 -> 7 (org.apache.kafka.controller.ReplicationControlManager)\n"
)
REFUSED = (
    "[2026-11-30 02:25:05,569] INFO [Transaction Marker Request Completion Handler 3]: Sending trade-tx-0's transaction "
    "marker for partition fills-0 has failed with error org.apache.kafka.common.errors.NotLeaderOrFollowerException, "
    "retrying with current coordinator epoch 0 "
    "(kafka.coordinator.transaction.TransactionMarkerRequestCompletionHandler)\n"
)
STARTS = "".join(STARTED.format(minute=at % 60, id=at) for at in range(60))


@pytest.fixture(scope="module")
def told(spark, tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    return documents_of(spark, folder, {"many": {"server.log": STARTS + UNCLEAN + REFUSED}})["many"]["log_lines"]


def test_a_document_holds_some_of_each_kind(told):
    says = [line["says"] for line in told["lines"]]
    assert (told["total"], len(says)) == (62, 50)
    assert {"unclean_election", "marker_refused", "initialized"} == set(says)
    assert [line["at"] for line in told["lines"]] == sorted(line["at"] for line in told["lines"])
    first_and_last = {re.search(r"pay-tx-\d+", line["text"])[0] for line in told["lines"][:-2]}
    assert {"pay-tx-0", "pay-tx-59"} <= first_and_last


def test_a_report_shows_some_of_each_kind(told):
    shown = some_of_each_kind(told["lines"], SHOWN)
    assert len(shown) == SHOWN
    assert [line["says"] for line in shown[-2:]] == ["unclean_election", "marker_refused"]
    assert some_of_each_kind(told["lines"], 100) == told["lines"]


def test_the_first_questions_are_about_ids_in_trouble(told):
    asked = list(questions(told["lines"], Reach("localhost:9092")))
    assert "--transactional-id trade-tx-0" in asked[0]
    assert "--topic fills --partition 0" in asked[1]
