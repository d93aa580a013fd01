"""Pictures in numbers: how a stuck log grew up to the capture, and where changes of the cluster are drawn."""

import re

import pytest

from analyzer.report.pictures.growth import LEFT, RIGHT, WIDTH, Around, growth_picture
from analyzer.report.pictures.known import NOTHING, Known
from analyzer.report.pictures.lanes import changes_of, lanes_picture
from analyzer.report.postmortem.events import EARLIER, Event
from analyzer.report.sentences.times import Clock

CLOCK, TAKEN = Clock(), 100_000
EDGE = WIDTH - RIGHT
PLACE = "payments-0"


def at_x(at):
    """Where a moment is in a growth chart from 0 to the capture."""
    return LEFT + at / TAKEN * (EDGE - LEFT)


def lane(*bars, epochs=(), partition=0):
    return {
        "topic": "payments", "partition": partition, "replica": "2", "authority": True, "lso": 4, "bars": list(bars),
        "epochs": list(epochs),
    }  # fmt: skip


def bar(producer_id, first, last, at, marker=None, marked_at=None):
    told = {"producer_id": producer_id, "first_offset": first, "last_offset": last, "first_ms": at, "last_ms": at}
    return told | ({} if marker is None else {"marker": "COMMIT", "marker_offset": marker, "marker_ms": marked_at})


def decided(producer_id, at):
    state = {"at": at, "state": "PrepareCommit", "producer_id": producer_id, "producer_epoch": 0, "partitions": [PLACE]}
    return {"transactional_id": "pay", "state_partition": 7, "states": [state]}


def incident(*lanes, coordinator=()):
    timeline = {"coordinator": list(coordinator), "logs": list(lanes), "omitted": {"ids": 0, "logs": 0, "bars": 0}}
    return {"id": "TXN-1", "headline": "", "cause": "", "heads": [], "findings": [], "timeline": timeline}


def grown(points, incidents=(), events=(), known=NOTHING, taken=TAKEN):
    partition = {"topic": "payments", "partition": 0, "replica": "2", "lso": points[-1][2]}
    partition["growth"] = [{"at": at, "log_end": end, "lso": lso} for at, end, lso in points]
    return str(growth_picture(partition, Around(taken, events, known, incidents), CLOCK) or "")


def lines(picture, kind):
    """The points of a line of the picture."""
    (found,) = re.findall(rf'<polyline points="([^"]*)" class="{kind}"', picture)
    return [tuple(map(float, point.split(","))) for point in found.split()]


@pytest.mark.parametrize("points", [[(0, 6, 4)], [(0, 5, 4), (100, 6, 4)], [(0, 5, 4), (100, 6, 4), (TAKEN, 9, 4)]])
def test_both_lines_reach_from_the_first_point_to_the_capture(points):
    picture = grown(points)
    for kind in ("log-end", "lso-line"):
        xs = [x for x, _ in lines(picture, kind)]
        assert (min(xs), max(xs)) == (LEFT, EDGE)
    assert len({y for _, y in lines(picture, "lso-line")}) == 1, "the LSO stood still all the time"


def test_one_moment_is_no_growth():
    assert grown([(TAKEN, 6, 4)]) == ""


def test_a_decision_whose_marker_never_came_is_on_the_line_of_the_lso():
    happened = incident(lane(bar(1, 4, 5, 0)), coordinator=[decided(1, 25_000), decided(2, 30_000)])
    picture = grown([(0, 5, 4), (10, 6, 4)], [happened])
    ((cx, cy),) = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="8" class="missing"', picture)
    assert (float(cx), float(cy)) == (pytest.approx(at_x(25_000), abs=0.1), lines(picture, "lso-line")[0][1])


def test_lost_commits_and_shown_records_are_drawn():
    happened = incident(lane(bar(3, 5, 5, 40_000, 6, 50_000)), coordinator=[decided(2, 30_000)])
    known = Known({}, frozenset({("payments", 0, 3, 5)}), frozenset({("payments", 0, 2)}))
    picture = grown([(0, 5, 4), (40_000, 9, 4)], [happened], known=known)
    box = re.search(r'<rect x="([\d.]+)"[^>]*width="([\d.]+)"[^>]*class="lost-box"', picture)
    assert float(box[1]) + float(box[2]) / 2 == pytest.approx(at_x(30_000), abs=0.1)
    shown = re.search(r'<rect x="([\d.]+)"[^>]*width="([\d.]+)"[^>]*class="bar exposed"', picture)
    assert float(shown[1]) == pytest.approx(at_x(40_000), abs=0.1)
    assert float(shown[1]) + float(shown[2]) == pytest.approx(EDGE, abs=0.2)
    assert "5..5 producer 3, aborted, but shown to readers" in picture


def changes():
    return [
        Event(20_000, "orders expanded from 3 to 5 partitions", "first record", "expansion", EARLIER, ("orders",)),
        Event(30_000, "broker 2 restarted", "controllers' log", "restart"),
        Event(40_000, "broker 2 leads payments-0", "controllers' log", "election", None, (PLACE,)),
        Event(50_000, "broker 1 leads other-0", "controllers' log", "election", None, ("other-0",)),
        Event(60_000, "setting x: 1 to 2", "controllers' log", "cluster"),
        Event(900_000, "broker 3 restarted", "controllers' log", "restart"),
    ]


def test_a_line_stands_where_a_topic_was_expanded_a_leader_changed_or_a_broker_restarted():
    picture = grown([(0, 5, 4), (90_000, 6, 4)], events=changes())
    drawn = re.findall(r'<line x1="([\d.]+)"[^>]*class="change (\w+)"', picture)
    wanted = [(20_000, "expansion"), (30_000, "restart"), (40_000, "election")]
    assert [kind for _, kind in drawn] == [kind for _, kind in wanted]
    assert [float(x) for x, _ in drawn] == [pytest.approx(at_x(at), abs=0.1) for at, _ in wanted]
    assert picture.count('class="event cluster after"') == 1, "the expansion was before its line, and is hollow"
    assert "not after 1970-01-01 00:00:20.000 UTC  orders expanded from 3 to 5 partitions" in picture


def spans(picture):
    found = re.findall(r'<rect x="([\d.]+)"[^>]*width="([\d.]+)"[^>]*class="epoch-span"', picture)
    return [(float(x), float(x) + float(width)) for x, width in found]


def test_a_leader_that_only_the_log_dates_came_between_two_batches():
    start = {"epoch": 3, "start_offset": 6, "not_before": 1_000}
    happened = incident(lane(bar(1, 4, 4, 0), epochs=[start]))
    points = [(0, 5, 4), (30_000, 6, 4), (70_000, 7, 4)]
    ((left, right),) = spans(grown(points, [happened]))
    assert (left, right) == (pytest.approx(at_x(30_000), abs=0.2), pytest.approx(at_x(70_000), abs=0.2))
    assert spans(grown(points, [happened], changes())) == [], "the controllers' log dates it: 40 s"


def test_lanes_have_the_same_lines_and_a_frame_only_where_nothing_dates_the_leader():
    start = {"epoch": 3, "start_offset": 6, "not_before": 35_000, "not_after": 45_000}
    other = lane(bar(5, 0, 0, 10, 1, 20), epochs=[start], partition=1)
    timeline = incident(lane(bar(1, 4, 4, 0), epochs=[start]), other, coordinator=[decided(1, 25_000)])["timeline"]
    picture = str(lanes_picture(timeline, TAKEN, CLOCK, events=changes()))
    assert re.findall(r'class="change (\w+)"', picture) == ["expansion", "restart", "election"]
    assert picture.count('class="epoch"') == 1
    alone = str(lanes_picture(timeline, TAKEN, CLOCK, events=changes()[1:2]))
    assert "broker 2 restarted" in re.sub("<title>.*?</title>", "", alone), "in words where there is room"
    assert [one.kind for one in changes_of(timeline, TAKEN, changes())] == ["expansion", "restart", "election"]
    assert 'class="change' not in str(lanes_picture(timeline, TAKEN, CLOCK))


def test_committed_data_that_only_one_copy_has_stands_out():
    timeline = incident(lane(bar(1, 4, 6, 0, 7, 50)))["timeline"]
    known = Known({}, frozenset(), frozenset(), frozenset({("payments", 0, "2", 1, 5)}))
    assert 'class="bar commit saved"' in str(lanes_picture(timeline, TAKEN, CLOCK, known))
    assert 'class="bar commit saved"' not in str(lanes_picture(timeline, TAKEN, CLOCK))
