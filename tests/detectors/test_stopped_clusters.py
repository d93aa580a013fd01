"""A cluster that was stopped as a whole, and copied later: nobody went on, so nothing is missing from its files."""

import pytest
from cluster import START_MS
from controllers_dump import quorum
from fill_page import dumps_of
from judged_together import judged_together

STATES = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @100
2 state pay-1 p7e0 PrepareCommit orders-0 @300
3 state pay-1 p7e0 CompleteCommit @320"""
LOG = "0..1 data p7e0 s0 @110\n2 COMMIT p7e0 @310"
CONTROLLERS = "__cluster_metadata-0/00000000000000000000.log.txt"
POINTS = "recovery-point-offset-checkpoint"


def started(at, broker, process):
    head = {"incarnationId": process, "brokerEpoch": at, "endPoints": [], "features": [], "rack": None, "fenced": True}
    return at, "REGISTER_BROKER_RECORD", {"brokerId": broker, **head}


def first(*more):
    """The controllers' log up to 1.5 s after the start, a NO_OP_RECORD each half of a second."""
    return [started(0, 1, "a"), *more, *((at, "NO_OP_RECORD", {}) for at in (500, 1_000, 1_500))]


def stopped(*records, points="0\n2\norders 0 3\n__transaction_state 0 4\n", more=()):
    """Broker 1, stopped with these records of the controllers, copied 10 min later; `more` files beside it."""
    return dumps_of({"orders-0": LOG, "__transaction_state-0": STATES}) | {
        "capture.toml": f"captured_at = {START_MS + 600_000}\n[partition_counts]\n__transaction_state = 1\n",
        f"broker-1/{CONTROLLERS}": quorum(*records),
        f"broker-1/{POINTS}": points,
        **dict(more),
    }


def second(*records):
    """Broker 2, stopped, with a partition of its own."""
    dumped = dumps_of({"audit-0": "0 data p9e0 s0 @110\n1 COMMIT p9e0 @310"})
    files = {path.replace("broker-1", "broker-2"): text for path, text in dumped.items()}
    return files | {f"broker-2/{CONTROLLERS}": quorum(*records), f"broker-2/{POINTS}": "0\n1\naudit 0 2\n"}


OTHER, AGAIN = started(0, 2, "b"), started(1_600, 1, "c")
CAPTURES = {
    "stopped": stopped(*first()),
    "both stopped": stopped(*first(OTHER), more=second(*first(OTHER))),
    "not at the ends": stopped(*first(), points="0\n2\norders 0 0\n__transaction_state 0 0\n"),
    "one of two": stopped(*first(OTHER)),
    "started again": stopped(*first(OTHER), more=second(*first(OTHER), AGAIN)),
}


RUNNING = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @100"""
COPIES = ("broker-1", "broker-2", "broker-3")


def whole(points: str) -> dict[str, str]:
    """A cluster of three without the controllers' log, copied 10 min after its last record; pay-1 had 60 s."""
    dumped = dumps_of({"orders-0": "0..1 data p7e0 s0 @110", "__transaction_state-0": RUNNING})
    files = {path.replace("broker-1", copy): text for copy in COPIES for path, text in dumped.items()}
    points = {f"{copy}/{POINTS}": points for copy in COPIES}
    return files | points | {"capture.toml": f"captured_at = {START_MS + 600_000}\n"}


OVERDUE = {
    "overdue": whole("0\n2\norders 0 0\n__transaction_state 0 0\n"),
    "overdue, stopped": whole("0\n2\norders 0 2\n__transaction_state 0 2\n"),
}


@judged_together
def documents():
    return CAPTURES | OVERDUE


@pytest.mark.parametrize("name", CAPTURES)
def test_a_moment_after_the_end_is_no_matter_where_every_broker_was_stopped(documents, name):
    kinds = {one["kind"] for one in documents[name]["coverage"]["notes"]}
    assert ("late_moment" in kinds, documents[name]["findings"]) == (name not in {"stopped", "both stopped"}, [])
    assert (documents[name]["verdict"] == "clean") == (name in {"stopped", "both stopped"})


@pytest.mark.parametrize(("name", "sure"), [("overdue", "certain"), ("overdue, stopped", "likely")])
def test_no_coordinator_is_late_that_was_stopped_before(documents, name, sure):
    """With a coordinator that runs, a transaction open 9 min beyond its timeout hangs; one that starts again ends it."""
    [finding] = documents[name]["findings"]
    assert (finding["code"], finding["confidence"]) == ("TXN001", sure)
    assert (finding["else"] is None) == (sure == "certain")
