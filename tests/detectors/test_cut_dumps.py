"""Dumps that break off: what comes after the last line is missing, and nothing is concluded from its absence."""

import pytest
from fill_page import dumps_of
from judged_together import judged_together

LOG, STATES = (f"broker-1/{name}-0/00000000000000000000.log.txt" for name in ("orders", "__transaction_state"))
TOML = {"capture.toml": "captured_at = 2026-01-01T10:10:00Z\n[partition_counts]\n__transaction_state = 1\n"}
DONE = (
    "0 state pay-1 p7e0 Ongoing orders-0,orders-1 @90",
    "1 state pay-1 p7e0 PrepareCommit orders-0,orders-1 @240",
    "2 state pay-1 p7e0 CompleteCommit @260",
)
OTHER = ("3 state x p8e0 Ongoing orders-1 @499990", "4 state x p8e0 PrepareCommit orders-1 @500050",
         "5 state x p8e0 CompleteCommit @500120")  # fmt: skip
DIED = 'Exception in thread "main" java.lang.IllegalStateException\n\tat kafka.tools.DumpLogSegments$.main(x.scala)\n'


def capture(orders: tuple[str, ...], states: tuple[str, ...]) -> dict[str, str]:
    second = ("0..1 data p7e0 s0 @120", "2 COMMIT p7e0 @252", "3..4 data p8e0 s0 @500000", "5 COMMIT p8e0 @500100")
    logs = {"orders-0": orders, "orders-1": second, "__transaction_state-0": states}
    return dumps_of({name: "\n".join(lines) for name, lines in logs.items()}) | TOML


def captures() -> dict[str, dict[str, str]]:
    marked = capture(("0..1 data p7e0 s0 @100", "2 COMMIT p7e0 @250"), DONE + OTHER)
    at = marked[LOG].index("baseOffset: 2 ")
    unmarked = marked[LOG][:at]
    late = capture(
        ("0..1 data p7e0 s0 @100", "2 COMMIT p7e0 @250", "3 data p7e0 s2 @500140"),
        (*DONE, *OTHER, "6 state pay-1 p7e0 Ongoing orders-0 @500130"),
    )
    of_late = late[STATES].index("baseOffset: 6 ")
    snapshot = "broker-1/orders-1/00000000000000000006.snapshot.txt"
    above = "broker-1/orders-0/00000000000000000001.snapshot.txt"
    return {
        "no marker": marked | {LOG: unmarked},
        "no last line end": marked | {LOG: unmarked.rstrip("\n")},
        "in the marker's line": marked | {LOG: marked[LOG][: at + 60]},
        "in its first word": marked | {LOG: marked[LOG][: at + 4]},
        "in the record before": marked | {LOG: unmarked[:-20]},
        "the tool died": marked | {LOG: unmarked + DIED},
        "late": late | {STATES: late[STATES][:of_late]},
        "late, no last line end": late | {STATES: late[STATES][:of_late].rstrip("\n")},
        "late, in a state": late | {STATES: late[STATES][:-60]},
        "late, in a batch line": late | {STATES: late[STATES][: of_late + 80]},
        "name": marked | {snapshot: "Dumping orders-1/00000", above: "Dumping /logs/orders-0/000000000000000000"},
    }


@judged_together
def documents():
    return captures()


def codes(document: dict) -> set[str]:
    return {one["code"] for one in document["findings"]}


@pytest.mark.parametrize("name", ["no marker", "no last line end"])
def test_a_dump_that_ends_with_a_whole_line_lacks_the_marker(documents, name):
    assert codes(documents[name]) == {"TXN004", "TXN010"}


@pytest.mark.parametrize("name", ["in the marker's line", "in its first word", "in the record before", "the tool died"])
def test_a_dump_that_breaks_off_before_the_marker_does_not_lack_it(documents, name):
    """Other partitions of the broker reach further: they do not speak for a file that is cut."""
    document = documents[name]
    assert codes(document) <= {"LOG002"}, "the tool may have died at damaged bytes"
    assert [one["verdict"] for one in document["open_transactions"]] == ["undecided"]
    assert document["verdict"] != "clean"


@pytest.mark.parametrize("name", ["late", "late, no last line end"])
def test_states_that_end_with_a_whole_record_show_the_last_one(documents, name):
    assert codes(documents[name]) == {"TXN002"}


@pytest.mark.parametrize("name", ["late, in a state", "late, in a batch line"])
def test_states_that_break_off_may_lack_the_record_that_names_the_partition(documents, name):
    document = documents[name]
    assert codes(document) == set()
    (held,) = document["open_transactions"]
    assert held["verdict"] == "undecided"
    assert "__transaction_state" in held["fetch"]


def test_a_name_that_is_cut_is_no_log(documents):
    """The dump of a snapshot broke off in its first line: it was a log that begins there, and others were damaged."""
    assert documents["name"]["findings"] == []
