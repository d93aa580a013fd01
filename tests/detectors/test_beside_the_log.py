"""A producer snapshot, a checkpoint or a broker's log beside the log of a partition that says otherwise, or less."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cluster import START_MS
from fill_page import dumps_of
from judged_together import judged_together

STATES = """0 state pay-1 p7e0 Ongoing orders-0 @100
1 state pay-1 p7e0 PrepareCommit orders-0 @200
2 state pay-1 p7e0 CompleteCommit @220
3 state bg p8e0 Ongoing orders-0 @60000
4 state bg p8e0 PrepareCommit orders-0 @60100
5 state bg p8e0 CompleteCommit @60120"""
COMMITTED = "0 plain @0\n1 data p7e0 s0 @150\n2 data p7e0 s1 @160\n3 COMMIT p7e0 @210\n4 data p8e0 s0 @60050\n5 COMMIT p8e0 @60110"
OVER = """0 state pay-1 p7e0 Ongoing orders-0 @100
1 state pay-1 p7e0 PrepareAbort orders-0 @200
2 state pay-1 p7e0 CompleteAbort @220""" + STATES[STATES.index("\n3 ") :]
LATE = "0 plain @0\n4 data p7e0 s2 @190\n5 data p8e0 s0 @60050\n6 COMMIT p8e0 @60110"
WHOLE = "0 plain @0\n1 data p7e0 s2 @190\n2 data p8e0 s0 @60050\n3 COMMIT p8e0 @60110"
LEADS = (
    "[2026-01-01 10:05:05,000] INFO [Broker id={broker}] Leader orders-0 with topic id Some(x) starts at leader epoch "
    "{epoch} from offset 3 with partition epoch 7, high watermark 3, ISR [2], adding replicas [] (state.change.logger)\n"
)


def capture(log, states=STATES, begin=None, epoch_at=None, line="", **checkpoints):
    """One of ten minutes later; `begin` is where the newest snapshot, at 6, has a transaction of producer 7 open.

    epoch_at: where leader epoch 1 begins by leader-epoch-checkpoint. line: of a broker's log.
    """
    told = {
        f"broker-1/{name.replace('_', '-')}-checkpoint": f"0\n1\norders 0 {at}\n" for name, at in checkpoints.items()
    }
    if epoch_at is not None:
        told["broker-1/orders-0/leader-epoch-checkpoint"] = f"0\n2\n0 0\n1 {epoch_at}\n"
    if line:
        told["server.log"] = line
    if begin is not None:
        told["broker-1/orders-0/00000000000000000006.snapshot.txt"] = (
            f"Dumping orders-0/00000000000000000006.snapshot\nproducerId: 7 producerEpoch: 0 coordinatorEpoch: -1 "
            f"currentTxnFirstOffset: OptionalLong[{begin}] lastTimestamp: {START_MS + 160} firstSequence: 1 "
            f"lastSequence: 1 lastOffset: 2 offsetDelta: 0 timestamp: {START_MS + 160}\n"
        )
    toml = "captured_at = 2026-01-01T10:10:00Z\n[partition_counts]\n__transaction_state = 1\n"
    return {"capture.toml": toml, **told, **dumps_of({"orders-0": log, "__transaction_state-0": states})}


CAPTURES = {
    "ended in the log": capture(COMMITTED, begin=1),
    "of another producer": capture(COMMITTED, begin=4),
    "ended, its begin deleted": capture(COMMITTED, begin=1, log_start_offset=2),
    "deleted": capture("4 data p8e0 s0 @60050\n5 COMMIT p8e0 @60110", begin=1, log_start_offset=4),
    "cleaned before": capture(LATE, OVER, cleaner_offset=4),
    "never cleaned": capture(WHOLE, OVER),
    "an epoch from its end": capture(COMMITTED, epoch_at=6),
    "an epoch beyond its end": capture(COMMITTED, epoch_at=12),
    "open, an epoch beyond its end": capture(
        COMMITTED.replace("\n3 COMMIT p7e0 @210", "").rpartition("\n4 ")[0], epoch_at=12
    ),
    "another leader": capture(COMMITTED, line=LEADS.format(broker=2, epoch=3)),
    "another leader of its epoch": capture(COMMITTED, line=LEADS.format(broker=2, epoch=0)),
    "led by this one": capture(COMMITTED, line=LEADS.format(broker=1, epoch=3)),
}


@judged_together
def documents():
    return CAPTURES


@pytest.mark.parametrize("name", ["ended in the log", "of another producer", "ended, its begin deleted"])
def test_what_the_log_shows_ended_is_not_gone_and_no_abort_is_offered(documents, name):
    """An ABORT written now would take what was committed from readers: it counts from the snapshot's offset on."""
    (row,) = documents[name]["open_transactions"]
    assert (documents[name]["findings"], row["verdict"]) == ([], "undecided")
    assert "Do not abort it" in row["why"]
    assert documents[name]["verdict"] == "inconclusive"


def test_what_has_left_the_log_is_gone(documents):
    (finding,) = documents["deleted"]["findings"]
    assert (finding["code"], finding["confidence"], finding["action"]["kind"]) == ("TXN009", "certain", "abort")


def test_where_the_cleaner_took_what_came_before_a_marker_may_have_been_there(documents):
    (finding,) = documents["cleaned before"]["findings"]
    assert (finding["code"], finding["confidence"]) == ("TXN005", "likely")
    assert "TXN002" in finding["else"]
    (finding,) = documents["never cleaned"]["findings"]
    assert (finding["code"], finding["confidence"], finding["else"]) == ("TXN005", "certain", None)


@pytest.mark.parametrize("name", ["an epoch beyond its end", "open, an epoch beyond its end"])
def test_a_leader_epoch_begins_where_the_log_had_been(documents, name):
    """A log that ends before that lacks its end: no marker is missing, and nothing is clean."""
    assert (documents[name]["findings"], documents[name]["verdict"]) == ([], "inconclusive")
    (told,) = (one["note"] for one in documents[name]["coverage"]["notes"] if one["kind"] == "short_log")
    assert "a leader epoch begins at offset 12" in told


@pytest.mark.parametrize("name", ["another leader", "another leader of its epoch"])
def test_a_leader_that_a_brokers_log_names_may_have_cut_off_what_is_here(documents, name):
    assert documents[name]["verdict"] == "inconclusive"
    assert [one["kind"] for one in documents[name]["coverage"]["notes"]] == ["leader_not_here"]


@pytest.mark.parametrize("name", ["an epoch from its end", "led by this one"])
def test_a_log_that_reaches_its_epoch_and_is_the_leaders_is_clean(documents, name):
    assert documents[name]["verdict"] == "clean"
