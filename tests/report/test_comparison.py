"""Two documents side by side: an abort that helped, a partition that is missing, a new hang."""

import copy
import json
from pathlib import Path

import pytest

from analyzer.errors import UsageError
from analyzer.report.comparison import compare, render_comparison
from analyzer.report.formats.look import Look
from analyzer.report.rendering import zone
from analyzer.report.sentences.times import Clock

LOOK = Look(Clock(zone("UTC")), color=False)


def finding(offset: int = 40, partition: int | None = 0, **more) -> dict:
    where = {"topic": None if partition is None else "orders", "partition": partition}
    return {
        "id": f"TXN002-{partition}-{offset}", "code": "TXN002", "name": "hanging_late_write", "severity": "critical",
        "confidence": "certain", "producer_id": 7, "first_offset": offset, "last_offset": offset + 2,
        "headline": "3 records of pay-1 came after their own ABORT marker", **where, **more,
    }  # fmt: skip


def partition(lso: int, end: int, number: int = 0, *, has_log: bool = True) -> dict:
    return {
        "topic": "orders", "partition": number, "authority": True, "has_log": has_log, "lso": lso,
        "log_end_offset": end, "blocked_records": end - lso,
    }  # fmt: skip


def opened(offset: int = 40, verdict: str = "hanging_late_write") -> dict:
    return {
        "topic": "orders",
        "partition": 0,
        "authority": True,
        "producer_id": 7,
        "first_offset": offset,
        "verdict": verdict,
    }


def document(name: str, at: int, findings=(), partitions=(), opens=(), verdict: str = "findings") -> dict:
    return {
        "capture": {"name": name, "captured_at": at}, "verdict": verdict, "findings": list(findings),
        "partitions": list(partitions), "open_transactions": list(opens),
    }  # fmt: skip


BEFORE = document("9:00", 1_767_261_600_000, [finding()], [partition(40, 90)], [opened()])


def test_an_abort_that_helped_is_gone_and_its_partition_is_freed():
    changes = compare(BEFORE, document("10:00", 1_767_265_200_000, (), [partition(130, 130)], verdict="clean"))
    assert [(row["id"], row["why"]) for row in changes["gone"]] == [
        ("TXN002-0-40", "the LSO is 130 now, and nothing of it is open")
    ]
    assert not changes["opened"]
    assert not changes["cannot_tell"]
    assert [(row["state"], row["lso_before"], row["lso_after"]) for row in changes["partitions"]] == [
        ("freed", 40, 130)
    ]


@pytest.mark.parametrize(
    ("partitions", "opens", "why"),
    [
        ((), (), "the later capture does not have this partition's log"),
        ((partition(40, 90, has_log=False),), (), "the later capture does not have this partition's log"),
        ((partition(40, 95),), (opened(verdict="undecided"),), "its transaction is still open there: undecided"),
        ((partition(40, 95),), (opened(60),), "the LSO is still 40"),
    ],
)
def test_what_the_later_capture_does_not_prove_is_not_gone(partitions, opens, why):
    changes = compare(BEFORE, document("10:00", 1_767_265_200_000, (), partitions, opens, "inconclusive"))
    assert not changes["gone"]
    assert [row["why"] for row in changes["cannot_tell"]] == [why]


def test_a_finding_without_a_partition_is_gone_only_where_the_later_capture_is_clean():
    before = document("9:00", 1, [finding(partition=None)])
    assert compare(before, document("10:00", 2, verdict="inconclusive"))["cannot_tell"]
    assert compare(before, document("10:00", 2, verdict="clean"))["gone"]


def test_a_new_hang_and_one_that_remains():
    later = [finding(), finding(100, 1)]
    changes = compare(BEFORE, document("10:00", 2, later, [partition(40, 95), partition(100, 120, 1)], [opened()]))
    assert [row["id"] for row in changes["opened"]] == ["TXN002-1-100"]
    assert (
        changes["opened"][0]["why"] == "the earlier capture does not have this partition's log: the fault may be older"
    )
    assert [row["id"] for row in changes["still"]] == ["TXN002-0-40"]
    assert [row["state"] for row in changes["partitions"]] == ["stuck"]


@pytest.mark.parametrize(
    ("verdict", "lso_before", "state"),
    [
        ("in_flight", 40, "running"),
        ("completing", 40, "running"),
        ("in_flight", 90, "running"),
        ("undecided", 40, "open"),
        ("undecided", 90, "open since"),
        ("hanging_late_write", 40, "stuck"),
        ("hanging_late_write", 90, "stuck since"),
    ],
)
def test_a_partition_is_stuck_only_where_something_hangs(verdict, lso_before, state):
    before = document("9:00", 1, (), [partition(lso_before, 90)], verdict="clean")
    after = document(
        "10:00", 2, (), [partition(40 if lso_before == 40 else 90, 95)], [opened(verdict=verdict)], "clean"
    )
    changes = compare(before, after)
    assert [row["state"] for row in changes["partitions"]] == [state]
    if state == "running":
        assert "stuck" not in render_comparison(changes, after, "text", LOOK)


def test_the_text_says_it_in_a_few_lines():
    after = document("10:00", 1_767_265_200_000, (), [partition(130, 130)], verdict="clean")
    text = render_comparison(compare(BEFORE, after), after, "text", LOOK)
    assert text.splitlines() == [
        "txn-forensics  9:00 -> 10:00",
        "9:00 (2026-01-01 10:00:00.000 UTC): findings, then 10:00 (2026-01-01 11:00:00.000 UTC): clean.",
        "",
        "Gone 1.",
        "",
        "GONE",
        "  orders-0: 3 records of pay-1 came after their own ABORT marker",
        "    hanging_late_write TXN002, TXN002-0-40",
        "    the LSO is 130 now, and nothing of it is open",
        "",
        "PARTITIONS",
        "  PARTITION         LSO        LOG END    WAITING",
        "  orders-0   freed  40 -> 130  90 -> 130  50 -> 0",
    ]


def test_nothing_is_changed_in_what_is_compared():
    before = copy.deepcopy(BEFORE)
    compare(before, before)
    assert before == BEFORE


def test_two_clusters_are_not_compared():
    def of(cluster: str) -> dict:
        one = document("9:00", 1)
        one["capture"]["cluster_ids"] = [cluster] if cluster else []
        return one

    with pytest.raises(UsageError, match=r"9:00 \(abc\) and 9:00 \(xyz\) are of different clusters"):
        compare(of("abc"), of("xyz"))
    for before, after in (("abc", "abc"), ("", "xyz"), ("abc", "")):
        assert not compare(of(before), of(after))["opened"]


def test_html_shows_the_comparison_above_the_later_report():
    after = json.loads((Path(__file__).parent / "documents" / "late_write.json").read_text("utf-8"))
    before = {**after, "findings": after["findings"][1:]}
    page = render_comparison(compare(before, after), after, "html", LOOK)
    opened, still, actions = (page.index(f">{title}</h2>") for title in ("Opened", "Still", "What to do"))
    assert opened < page.index(after["findings"][0]["id"], opened) < still < actions


def noted(kind: str, number: int | None = 0, **more) -> dict:
    note = {"kind": kind, "topic": "orders", "partition": number, "note": f"{kind} of orders", "fetch": None}
    return {"coverage": {"notes": [note], **more}, "detector_runs": []}


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (document("10:00", 1, (), [partition(40, 40)]), "the later capture's log ends at 40, before it"),
        ({**document("10:00", 1, (), [partition(130, 130)]), **noted("missing_start")}, "missing_start of orders"),
        ({**document("10:00", 1, (), [partition(130, 130)]), **noted("short_log", None)}, "short_log of orders"),
    ],
)
def test_what_the_later_capture_lacks_is_not_gone(after, why):
    changes = compare(BEFORE, after)
    assert (changes["gone"], [row["why"] for row in changes["cannot_tell"]]) == ([], [why])
    assert [row["state"] for row in changes["partitions"]] == ["not shown"]


def test_a_note_on_another_partition_or_on_a_moment_leaves_it_gone():
    for note in (noted("missing_start", 1), noted("untold_moment")):
        changes = compare(BEFORE, {**document("10:00", 1, (), [partition(130, 130)]), **note})
        assert [row["state"] for row in changes["partitions"]] == ["freed"]
        assert len(changes["gone"]) == 1


def test_what_was_not_open_is_gone_only_where_it_was_looked_for_again():
    """Records that readers were given wrongly stay so, whatever the LSO is: the log alone does not tell of them."""
    slipped = finding(code="TXN011", name="slipped_into_next_transaction")
    before = {
        **document("9:00", 1, [slipped], [partition(90, 90)]),
        "coverage": {"notes": [], "state": {"partitions": 50, "of": 50}},
    }
    later = document("10:00", 2, (), [partition(130, 130)])
    run = {"code": "TXN011", "status": "skipped", "reason": "no dump of __transaction_state"}
    fewer = {"coverage": {"notes": [], "state": {"partitions": 3, "of": 50}}}
    assert [row["why"] for row in compare(before, {**later, "detector_runs": [run]})["cannot_tell"]] == [
        "TXN011 was not checked there: no dump of __transaction_state"
    ]
    assert [row["why"] for row in compare(before, {**later, **fewer})["cannot_tell"]] == [
        "the later capture has 3 partitions of __transaction_state, the earlier one 50"
    ]
    assert compare(before, {**later, "coverage": before["coverage"]})["cannot_tell"] == []
