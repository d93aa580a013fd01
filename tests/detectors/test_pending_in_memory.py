"""A client waits for offsets that its group's log has decided: told as such, and not where the log explains the wait."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fill_page import dumps_of
from judged_together import judged_together

COMMITS = "0 commit agg clicks-1=10 p7e0 s0 @100\n1 COMMIT p7e0 @200\n2 commit agg clicks-1=12 p7e0 s1 @1000\n3 COMMIT p7e0 @1100"  # fmt: skip
SLOW = COMMITS.replace("@1100", "@2100")
LATER = "\n4 commit other x-1=14 @400000"
STATES = """0 state pay p7e0 Ongoing __consumer_offsets-0 @90
1 state pay p7e0 PrepareCommit __consumer_offsets-0 @190
2 state pay p7e0 CompleteCommit @210
3 state pay p7e0 Ongoing __consumer_offsets-0 @990
4 state pay p7e0 PrepareCommit __consumer_offsets-0 @1090
5 state pay p7e0 CompleteCommit @1110"""
PENDING = "\n4 commit agg clicks-1=14 p7e0 s2 @2000"
RUNNING = "\n6 state pay p7e0 Ongoing __consumer_offsets-0 @1990 t900000"
WAIT = (
    "[2026-01-01 {hour}:{at},000{zone}] WARN [Consumer clientId=c-1, groupId={group}] The following partitions still have unstable "
    "offsets which are not cleared on the broker side: [clicks-1], this could be either transactional offsets waiting "
    "for completion, or normal offsets waiting for replication after appending to local log\n"
)  # fmt: skip


def files(
    version="3.5.2", commits=COMMITS + LATER, states=STATES, at="05:00", group="agg", hour=10, zone=""
) -> dict[str, str]:
    """The files of a capture of a group's log, its producer's states, and a client's log."""
    told = {"__consumer_offsets-0": commits, "__transaction_state-0": states}
    texts = {
        "capture.toml": f'captured_at = 2026-01-01T13:10:00Z\nkafka_version = "{version}"\n'
        "[partition_counts]\n__consumer_offsets = 1\n__transaction_state = 1\n",
        "app.log": WAIT.format(at=at, group=group, hour=hour, zone=zone),
    }
    return texts | dumps_of(told)


CAPTURES = {
    "forgotten": files(),
    "4.1.1": files(version="4.1.1"),
    "copied before": files(commits=COMMITS),
    "pending": files(commits=COMMITS + PENDING, states=STATES + RUNNING),
    "at the marker": files(at="00:20"),
    "another group": files(group="other"),
    # as UTC two hours after the last marker; in its own zone, while that commit was pending
    "another zone": files(commits=SLOW + "\n4 commit other x-1=14 @9000000", at="00:01", hour=12),
    "that zone told": files(commits=SLOW + "\n4 commit other x-1=14 @9000000", at="00:01", hour=12, zone="+0200"),
    "UTC told": files(commits=SLOW + "\n4 commit other x-1=14 @9000000", at="00:01", hour=12, zone="Z"),
}


@judged_together
def documents():
    return CAPTURES


@pytest.fixture(scope="module")
def found(documents):
    return {name: [row for row in one["findings"] if row["code"] == "GRP002"] for name, one in documents.items()}


def test_a_wait_that_the_log_does_not_explain_is_a_finding_with_its_cause(found):
    (finding,) = found["forgotten"]
    assert (finding["label"], finding["confidence"], finding["group"]) == ("pending in memory", "likely", "agg")
    assert "KAFKA-17507" in finding["cause"][0]
    assert finding["action"]["word"] == "restart the leader"
    assert [ref["file"].rpartition("/")[2] for ref in finding["evidence"]] == [
        "app.log",
        "00000000000000000000.log.txt",
    ]


def test_a_release_with_the_fix_rules_the_cause_out(found):
    (finding,) = found["4.1.1"]
    assert all("KAFKA-17507" not in cause for cause in finding["cause"])
    assert all(bug["issue"] != "KAFKA-17507" for bug in finding["known_bugs"])


def test_a_log_that_ends_before_the_wait_is_not_proof(found):
    (finding,) = found["copied before"]
    assert finding["confidence"] == "possible"
    assert finding["action"]["word"] == "check first"
    assert finding["settled_by"] == "a newer copy of __consumer_offsets-0"


def test_a_line_without_a_zone_may_be_of_a_moment_at_which_a_commit_was_pending(found):
    (finding,) = found["another zone"]
    assert (finding["confidence"], finding["action"]["word"]) == ("possible", "check first")
    assert "2 h ahead of UTC" in finding["else"]
    assert found["that zone told"] == []
    (finding,) = found["UTC told"]
    assert (finding["confidence"], finding["else"]) == ("likely", None)


def test_what_is_pending_in_the_log_explains_the_wait(found):
    (finding,) = found["pending"]
    assert finding["label"] == "holds offsets of group agg"


@pytest.mark.parametrize("name", ["at the marker", "another group"])
def test_markers_on_their_way_and_other_groups_are_no_such_wait(found, name):
    assert found[name] == []
