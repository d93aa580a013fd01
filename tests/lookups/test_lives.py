"""`txn`, `top` and `timeline` over real captures: every record of every id, the trace's form, names that attack a terminal."""

import csv
import io
import itertools
import json
import re
import zoneinfo
from collections import defaultdict

import jsonschema
import pytest

from analyzer.lookups.place import Spot
from analyzer.lookups.shown.timeline import json_lines, text_lines, trace_lines
from analyzer.lookups.shown.top import top_csv, top_text
from analyzer.lookups.shown.txn import txn_text
from analyzer.lookups.shown.who import who_text
from analyzer.lookups.timeline import timeline
from analyzer.lookups.top import top
from analyzer.lookups.trace import trace
from analyzer.lookups.txn import Window, txn
from analyzer.lookups.who import who
from analyzer.lookups.window import Part
from analyzer.report.sentences.times import Clock

SCENARIOS = ("epoch_bumps/dumps", "pid_hijack/dumps", "late_write/dumps")
RECORD = re.compile(
    r"^\| offset: (\d+) .*key: transaction_metadata::transactionalId=(\S+) payload: "
    r"(?:producerId:(\d+),producerEpoch:(\d+),state=(\w+),partitions=\[(.*?)\],|(?:<DELETE>|NULL))",
)
TRACE = {
    "type": "object",
    "required": ["traceEvents"],
    "properties": {
        "displayTimeUnit": {"enum": ["ms", "ns"]},
        "otherData": {"type": "object"},
        "traceEvents": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "ph", "pid", "tid"],
                "properties": {
                    "name": {"type": "string"}, "cat": {"type": "string"}, "pid": {"type": "integer"},
                    "tid": {"type": "integer"}, "ts": {"type": "number"}, "args": {"type": "object"},
                },
                "oneOf": [
                    {"properties": {"ph": {"const": "X"}, "dur": {"type": "number", "minimum": 0}}, "required": ["ts", "dur"]},
                    {"properties": {"ph": {"const": "i"}, "s": {"enum": ["g", "p", "t"]}}, "required": ["ts", "s"]},
                    {
                        "properties": {
                            "ph": {"const": "M"},
                            "name": {"enum": ["process_name", "process_labels", "process_sort_index", "thread_name", "thread_sort_index"]},
                        },
                        "required": ["args"],
                    },
                ],
            },
        },
    },
}  # fmt: skip
"""What the Trace Event Format says of complete events, instants and metadata, and of the object that holds them."""


def printed(folder):
    """Every record of `__transaction_state` as the dumps print it: by id, in order."""
    out = defaultdict(dict)
    for path in folder.glob("broker-*/__transaction_state-*/*.log.txt"):
        for line in path.read_text().splitlines():
            found = RECORD.match(line)
            if found is not None:
                offset, whose, producer, epoch, state, parts = found.groups()
                listed = sorted(parts.split(",")) if parts else []
                row = (state, producer and int(producer), epoch and int(epoch), listed)
                out[whose][int(path.parent.name.rsplit("-", 1)[1]), int(offset)] = row
    return out


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_life_of_every_id_is_the_coordinators_records_one_by_one(name, ask, folders):
    truth = printed(folders[name])
    assert len(truth) > 3
    for whose, records in truth.items():
        told = txn(ask(name), whose, Window())
        said = {
            (one["state_partition"], one["offset"]): (one["state"], one["producer_id"], one["producer_epoch"], sorted(one["partitions"] or []))
            for one in told["records"]
        }  # fmt: skip
        assert said == records, whose
        inside = sorted(itertools.chain.from_iterable(one["offsets"] for one in told["transactions"]))
        live = sorted(at for (_, at), row in records.items() if row[0] not in {None, "Empty", "Dead"})
        assert inside == live, whose


def test_a_transaction_of_an_id_ends_as_its_records_say(ask):
    told = txn(ask("late_write/dumps"), "bg-app-0", Window())
    assert told["outcomes"] == {"aborted": 3, "committed": 6}
    assert [one["decision"] for one in told["transactions"]] == [
        "COMMIT", "COMMIT", "ABORT", "COMMIT", "COMMIT", "ABORT", "COMMIT", "COMMIT", "ABORT",
    ]  # fmt: skip
    marked = {(log["topic"], log["partition"], log["marker"]) for log in told["transactions"][2]["logs"]}
    assert ("orders", 0, "ABORT") in marked
    shorter = txn(ask("late_write/dumps"), "bg-app-0", Window(limit=4))
    assert (len(shorter["transactions"]), shorter["left_out"]) == (4, 5)
    assert "5 more are left out" in txn_text(shorter, Clock(), "CASE")
    later = txn(ask("late_write/dumps"), "bg-app-0", Window(since_ms=1795254000000))
    assert (len(later["transactions"]), later["outside"]) == (1, 8)


def test_the_verdict_on_an_open_transaction_has_its_times_in_the_zone_that_is_asked_for(ask):
    begun = "2026-11-21T09:19:16.992Z"
    asked = ask("in_flight/dumps")
    life = txn(asked, "inv-masked", Window())
    record = who(asked, Spot("invoices", 0, offset=9))
    for told in (life["open"][0], record["copies"][0]):
        (moment,) = told["moments"]
        assert told["why"][moment["start"] :].startswith(begun)
        assert moment["ms"] == 1_795_252_756_992
    berlin = Clock(zoneinfo.ZoneInfo("Europe/Berlin"))
    lines = (" ".join(told.split()) for told in (txn_text(life, berlin, "CASE"), who_text(record, berlin, "CASE")))
    for text in lines:
        assert "running since 2026-11-21 10:19:16.992 +01:00" in text
        assert begun not in text


def test_a_producer_id_stands_for_the_id_that_had_it(ask):
    assert txn(ask("late_write/dumps"), "0", Window()) == txn(ask("late_write/dumps"), "bg-app-0", Window())


def test_odd_transactions_come_first_if_asked(ask):
    told = txn(ask("S14_prepare_stuck_down/dumps"), *_stuck(ask), Window(odd_first=True))
    assert told["transactions"][0]["odd"]


def _stuck(ask):
    rows = ask("S14_prepare_stuck_down/dumps").rows("id_txns")
    return [next(one["transactional_id"] for one in rows if one["state"].startswith("Prepare"))]


def test_a_timeline_is_in_order_and_says_what_it_leaves_out(ask):
    part = Part(ask("late_write/dumps"))
    told = timeline(part, 1_000)
    events = list(told.events)
    assert [one["at_ms"] for one in events] == sorted(one["at_ms"] for one in events)
    assert not told.left_out
    assert {one["source"] for one in events} >= {"coordinator", "log", "marker", "capture"}
    some = timeline(part, 20)
    shown = list(some.events)
    assert shown == events[:20]
    assert sum(some.left_out.values()) == sum(one["source"] != "capture" for one in events) - 20
    assert any(
        line.startswith("left out beyond --limit") for line in text_lines(some._replace(events=iter(shown)), Clock())
    )
    since = events[10]["at_ms"]
    assert list(timeline(Part(ask("late_write/dumps"), since_ms=since), 1_000).events) == [
        one for one in events if one["at_ms"] >= since
    ]
    assert list(timeline(Part(ask("late_write/dumps"), until_ms=since), 1_000).events) == [
        one for one in events if one["at_ms"] < since
    ]


def test_events_of_one_id_or_one_partition(ask):
    of_id = list(timeline(Part(ask("late_write/dumps"), whose="late-fresh-5"), 1_000).events)
    assert [one["state"] for one in of_id if one["source"] == "coordinator"] == [
        "Empty",
        "Ongoing",
        "PrepareAbort",
        "CompleteAbort",
    ]
    assert {(one["topic"], one["partition"]) for one in of_id if one["source"] in {"log", "marker"}} == {("audit", 1)}
    of_place = list(timeline(Part(ask("late_write/dumps"), topic="audit-1"), 1_000).events)
    assert {(one["topic"], one["partition"]) for one in of_place if one["source"] in {"log", "marker"}} == {
        ("audit", 1)
    }


def test_json_lines_have_what_tools_of_forensics_import(ask):
    told = list(json_lines(timeline(Part(ask("S8_marker_lost/dumps")), 500).events))
    assert len(told) > 50
    for line in told:
        one = json.loads(line)
        assert one["message"]
        assert one["timestamp_desc"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00", one["datetime"])
        assert isinstance(one["timestamp"], int)


@pytest.mark.parametrize("name", ["late_write/dumps", "S8_marker_lost/logdir", "chaos_391/logdir"])
def test_a_trace_has_the_form_of_the_trace_event_format(name, ask):
    drawn = json.loads("".join(trace_lines(trace(Part(ask(name)), 2_000), {"capture": name})))
    jsonschema.validate(drawn, TRACE)
    lanes = {
        (one["pid"], one["tid"]) for one in drawn["traceEvents"] if one["ph"] == "M" and one["name"] == "thread_name"
    }
    spans = defaultdict(list)
    for one in drawn["traceEvents"]:
        if one["ph"] != "M":
            assert (one["pid"], one["tid"]) in lanes
        if one["ph"] == "X":
            spans[one["pid"], one["tid"]].append((one["ts"], one["ts"] + one["dur"]))
    for several in spans.values():
        several.sort()
        assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(several)), "two spans of a lane overlap"
    assert len({pid for pid, _ in spans}) == 2


def test_a_trace_has_a_span_for_every_transaction_and_an_instant_for_every_marker(ask):
    asked = ask("late_write/dumps")
    events = trace(Part(asked), 2_000).events
    assert sum(one.get("cat") == "transaction" for one in events) == len(asked.rows("id_txns"))
    assert sum(one.get("cat") == "marker" for one in events) == len(
        [one for one in asked.rows("log_txns") if one["first_offset"] is not None and one["marker_offset"] is not None]
    )
    some = trace(Part(asked), 5)
    assert some.left_out["id spans"] == len(asked.rows("id_txns")) - 5


def test_top_ranks_what_the_tables_hold(ask):
    asked = ask("late_write/dumps")
    told = top(asked, Part(asked), 3)
    rows = asked.rows("id_txns")
    assert told["transactions"] == len(rows)
    assert [one["duration_ms"] for one in told["longest"]] == sorted(
        (one["completed_ms"] - one["begun_ms"] for one in rows), reverse=True
    )[:3]
    assert told["aborts"][0] == {"transactional_id": "bg-app-0", "aborted": 3, "transactions": 9}
    assert sum(bar["committed"] + bar["aborted"] + bar["open"] for bar in told["pace"]["bars"]) == len(rows)
    assert {(one["topic"], one["partition"]) for one in told["waiting"]} <= {
        ("orders", 0),
        ("payments", 1),
        ("audit", 1),
    }
    table = list(csv.DictReader(io.StringIO(top_csv(told))))
    assert {row["list"] for row in table} >= {"longest", "largest", "slowest", "aborts", "busiest", "waiting", "pace"}
    assert "Longest transactions" in top_text(told, Clock())
