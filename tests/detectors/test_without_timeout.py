"""A transaction timeout of 2147483647 is no number of milliseconds: such a transaction is open until its owner ends it."""

import pytest
from cluster import START_MS
from fill_page import dumps_of
from judged_together import judged_together

from analyzer.report.metrics import metrics
from analyzer.report.rendering import render

DAY_MS = 86_400_000
NONE = 2_147_483_647
TIMEOUTS = (NONE - 1, NONE)
AGES = (1, 20, 30)


def files(state: str, logs: dict[str, str], age_ms: int) -> dict[str, str]:
    """Return the files of a capture taken `age_ms` after the transaction began; `state`: records of its id."""
    texts = {"capture.toml": f"captured_at = {START_MS + age_ms}\n[partition_counts]\n__transaction_state = 1\n"}
    return texts | dumps_of({"__transaction_state-0": state} | logs)


def ongoing(timeout_ms: int, partition: str = "orders-0") -> str:
    return f"0 state pay-1 p7e0 Empty @0 t{timeout_ms}\n1 state pay-1 p7e0 Ongoing {partition} @0 t{timeout_ms}"


DATA = {"orders-0": "0..1 data p7e0 s0 @100\n2..4 plain @200"}
GROUP = {"__consumer_offsets-0": "0 commit sink orders-0=3 @50\n1 commit sink orders-0=9 p7e0 @100"}
CAPTURES = {
    f"{timeout}-{days}": files(
        f"{ongoing(timeout)}\n2 state pay-9 p9e0 Empty @{days * DAY_MS - 9000}", DATA, days * DAY_MS
    )
    for timeout in TIMEOUTS
    for days in AGES
}
"""The coordinator wrote on until just before the capture: what it says of pay-1 is of then."""
CAPTURES |= {
    "young": files(ongoing(NONE), DATA, 600_000),
    "group": files(ongoing(NONE, "__consumer_offsets-0"), GROUP, 30 * DAY_MS),
    "no data": files(ongoing(NONE), {}, 30 * DAY_MS),
    "raised": files(ongoing(7 * DAY_MS), DATA, 3 * DAY_MS),
    "raised, young": files(ongoing(7 * DAY_MS), DATA, 600_000),
    "raised twice": files(
        f"{ongoing(7 * DAY_MS)}\n2 state pay-2 p8e0 Ongoing orders-1 @0 t{8 * DAY_MS}",
        DATA | {"orders-1": "0..1 data p8e0 s0 @100"},
        3 * DAY_MS,
    ),
    "beside a hang": files(
        ongoing(NONE) + "\n2 state pay-2 p8e0 Ongoing orders-1 @0",
        DATA | {"orders-1": "0..1 data p8e0 s0 @100"},
        30 * DAY_MS,
    ),
}


@judged_together
def documents():
    return CAPTURES


@pytest.mark.parametrize("days", AGES)
def test_without_a_timeout_it_is_never_over_it(documents, days):
    document = documents[f"{NONE}-{days}"]
    assert document["findings"] == []
    (row,) = document["open_transactions"]
    assert (row["verdict"], row["without_timeout_since"]) == ("in_flight", START_MS)
    assert "timeout_at" not in row
    assert "without a timeout (2147483647" in row["why"]


@pytest.mark.parametrize("days", AGES)
def test_a_reader_sees_that_it_blocks_since_when_and_whom_to_ask(documents, days):
    document = documents[f"{NONE}-{days}"]
    assert document["verdict"] == "inconclusive"
    text = " ".join(render(document, "text", full=True).split())
    assert f"OPEN WITHOUT LIMIT: the transaction of pay-1 in orders-0 has been open for {days} d 0 h" in text
    assert "the LSO is 0: 5 records" in text
    assert "Ask the owner of the id" in text
    assert "NOTHING HANGS" not in text
    assert "nothing to do" not in text
    assert "times out" not in text
    assert " abort --" not in text
    for other in ("markdown", "html"):
        assert "OPEN WITHOUT LIMIT" in render(document, other)
    assert "open without a timeout, ask its owner" in render(document, "concise")
    told = [line for line in metrics([document]).splitlines() if "open_without_timeout_seconds{" in line]
    sample = f'capture="{document["capture"]["name"]}",topic="orders",partition="0"}} {days * 86_400}'
    assert [line.partition(",")[2] for line in told] == [sample]


def test_one_millisecond_less_is_a_number(documents):
    for days in (1, 20):
        document = documents[f"{NONE - 1}-{days}"]
        assert document["verdict"] == "clean"
        (row,) = document["open_transactions"]
        assert (row["verdict"], row["timeout_at"]) == ("in_flight", START_MS + NONE - 1)
        assert "without_timeout_since" not in row
        assert "times out" in render(document, "text", full=True)
    (finding,) = documents[f"{NONE - 1}-30"]["findings"]
    assert (finding["code"], finding["confidence"]) == ("TXN001", "certain")


def test_a_young_one_is_simply_under_way(documents):
    assert documents["young"]["verdict"] == "clean"
    text = render(documents["young"], "text", full=True)
    assert "NOTHING HANGS" in text
    assert "OPEN WITHOUT A TIMEOUT" in text


def test_a_group_that_waits_for_it_is_told_whom_to_ask(documents):
    document = documents["group"]
    assert document["verdict"] == "inconclusive"
    (finding,) = document["findings"]
    assert (finding["code"], finding["severity"], finding["action"]["kind"]) == ("GRP002", "info", "wait")
    assert "without a timeout, until its owner ends it" in finding["headline"]
    assert finding["action"]["summary"].startswith("ASK ITS OWNER: the transaction of pay-1")
    assert "groups that wait: sink" in " ".join(render(document, "text", full=True).split())


def test_without_a_data_partition_it_is_named_and_not_accused(documents):
    document = documents["no data"]
    assert (document["verdict"], document["findings"]) == ("inconclusive", [])
    (note,) = [note for note in document["coverage"]["notes"] if note["kind"] == "running_unseen"]
    assert "has been open for 720 h without a timeout, which only its owner outside Kafka can end" in note["note"]


def test_another_hang_does_not_hide_it(documents):
    document = documents["beside a hang"]
    assert [one["code"] for one in document["findings"]] == ["TXN001"]
    text = " ".join(render(document, "text", full=True).split())
    assert "1 PARTITION IS STUCK" in text
    assert "OPEN WITHOUT LIMIT: the transaction of pay-1" in text


def test_readers_that_wait_for_days_inside_a_raised_timeout_are_told(documents):
    text = " ".join(render(documents["raised"], "text").split())
    assert documents["raised"]["verdict"] == "clean"
    assert "STILL RUNNING: the transaction of pay-1 in orders-0 has been open for 3 d 0 h, inside its timeout" in text
    assert "or until its coordinator ends it 4 d 0 h after this capture at the latest" in text
    assert "nothing to do" not in text
    line = "-: in_flight orders-0 0..1 pay-1: readers wait, times out 4 d 0 h after the capture"
    assert line in render(documents["raised"], "concise")
    two = " ".join(render(documents["raised twice"], "text").split())
    assert "2 transactions are open inside their timeouts; the oldest, of pay-1 in orders-0, for 3 d 0 h" in two
    assert "their coordinators end the last of them 5 d 0 h after this capture" in two


def test_what_runs_for_no_longer_than_brokers_allow_by_default_is_no_news(documents):
    text = render(documents["raised, young"], "text")
    assert "STILL RUNNING" not in text
    assert "IN FLIGHT, nothing to do" in text
    assert "in_flight" not in render(documents["raised, young"], "concise")
