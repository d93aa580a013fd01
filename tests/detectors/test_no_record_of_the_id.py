"""A partition's dump, perhaps a snapshot, and nothing of the coordinator: what clients' clocks prove (RULES A 15, D 4)."""

import pytest
from dump_text import Batch, log_text
from judged_together import judged_together

START_MS = 1_700_000_000_000
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
OPEN, TAIL = 913_000_000, 933_000_000
HELD = Batch(OPEN, OPEN + 4, START_MS, producer_id=171100, producer_epoch=1, sequence=0, transactional=True)


def others(first, now, step_ms=5_000, producers=(500, 501, 502), batches=12):
    """Idempotent batches of other producers, in turns."""
    return [
        Batch(first + 4 * turn, first + 4 * turn + 3, now + turn * step_ms,
              producer_id=producers[turn % len(producers)], producer_epoch=0, sequence=4 * (turn // len(producers)))
        for turn in range(batches)
    ]  # fmt: skip


def partition(batches, snapshot=None):
    """Files of orders-5: its dump without contents, and the dump of a snapshot at the log's end."""
    base, end = batches[0].base_offset, batches[-1].last_offset + 1
    files = {f"orders-5/{base:020d}.log.txt": log_text(f"orders-5/{base:020d}.log", batches, deep=False)}
    if snapshot is not None:
        lines = [f"Dumping orders-5/{end:020d}.snapshot", *map(entry, snapshot)]
        files[f"orders-5/{end:020d}.snapshot.txt"] = "\n".join(lines) + "\n"
    return files


def entry(known):
    """The line of a producer in a snapshot: its id, coordinator epoch, first open offset or None, newest time."""
    producer_id, coordinator_epoch, first, newest_ms = known
    opened = "OptionalLong.empty" if first is None else f"OptionalLong[{first}]"
    return (
        f"producerId: {producer_id} producerEpoch: 1 coordinatorEpoch: {coordinator_epoch} currentTxnFirstOffset: "
        f"{opened} lastTimestamp: {newest_ms} firstSequence: 0 lastSequence: 4 lastOffset: {(first or TAIL) + 4} "
        f"offsetDelta: 4 timestamp: {newest_ms}"
    )


def late(*, broken=()):
    """An ABORT marker, then data of its producer stamped 120 s before it, then 19 hours of other producers."""
    own = {"producer_id": 7, "producer_epoch": 3, "transactional": True}
    head = [
        Batch(100, 104, START_MS, sequence=0, **own),
        Batch(105, 105, START_MS + 130_000, marker="ABORT", coordinator_epoch=4, **own),
        Batch(106, 108, START_MS + 10_000, sequence=5, **own),
    ]
    files = partition(head + others(109, START_MS + HOUR, HOUR // 4, batches=76))
    [(path, text)] = files.items()
    lines = text.splitlines()
    for number in broken:
        lines[number] = lines[number].replace("isvalid: true", "isvalid: false")
    return {path: "\n".join(lines) + "\n"}


NOW = START_MS + 14 * DAY
STATES = [(171100, 12, OPEN, START_MS), *[(one, -1, None, NOW + 55_000) for one in (500, 501, 502)]]
CAPTURES = {
    "data and snapshot": partition([HELD, *others(TAIL, NOW)], STATES),
    "tail and snapshot": partition(others(TAIL, NOW), STATES),
    "one odd clock": partition([HELD, *others(OPEN + 5, START_MS + 1_000), *others(OPEN + 53, NOW, producers=(900,))]),
    "one other producer": partition([HELD, *others(OPEN + 5, NOW, producers=(500,))]),
    "just begun": partition(
        [HELD, *others(OPEN + 5, START_MS + 1_000)], [(171100, 12, OPEN, START_MS), (500, -1, None, START_MS + 50_000)]
    ),
    "own clock far back": partition([HELD, *others(OPEN + 5, NOW)]),
    "late": late(),
    "late, damaged lines": late(broken=(20, 33, 47)),
}


@judged_together
def told():
    return CAPTURES


def plan(document, finding):
    """The commands of the finding's plan."""
    assert finding in document["findings"]
    return [command["command"] for step in finding["action"]["steps"] for command in step["commands"]]


def hang(document):
    """The finding on the open transaction, if there is one."""
    return next((one for one in document["findings"] if one["name"].startswith(("hanging", "marker"))), None)


@pytest.mark.parametrize("name", ["data and snapshot", "tail and snapshot"])
def test_what_a_snapshot_at_the_log_end_has_open_for_two_weeks_hangs(told, name):
    finding, [partition_] = hang(told[name]), told[name]["partitions"]
    assert (finding["name"], finding["confidence"]) == ("hanging_unexplained", "likely")
    assert (finding["producer_id"], finding["first_offset"]) == (171100, OPEN)
    assert "14 d" in finding["headline"]
    assert partition_["lso"] == OPEN  # also where only the tail is here: nothing proves that this offset was deleted
    steps = plan(told[name], finding)
    assert any("--producer-id 171100 --producer-epoch 1 --coordinator-epoch 12" in one for one in steps)


def test_the_moment_is_the_newest_that_two_producers_agree_on(told):
    capture = told["data and snapshot"]["capture"]
    assert "two producers agree" in capture["captured_at_source"]
    assert capture["captured_at"] == NOW + 55_000
    assert told["one odd clock"]["capture"]["captured_at"] < START_MS + MINUTE
    assert told["one other producer"]["capture"]["captured_at"] == START_MS


@pytest.mark.parametrize("name", ["one odd clock", "one other producer", "just begun"])
def test_one_clock_alone_accuses_nobody(told, name):
    assert hang(told[name]) is None
    assert [one["verdict"] for one in told[name]["open_transactions"]] == ["undecided"]
    assert told[name]["verdict"] == "inconclusive"


def test_the_producers_own_clock_alone_is_no_more_than_a_possibility(told):
    finding = hang(told["own clock far back"])
    assert (finding["name"], finding["confidence"]) == ("hanging_unexplained", "possible")


@pytest.mark.parametrize("name", ["late", "late, damaged lines"])
def test_data_after_its_abort_hangs_where_the_log_goes_on_for_longer_than_any_timeout(told, name):
    finding = hang(told[name])
    assert (finding["name"], finding["confidence"]) == ("hanging_unexplained", "likely")
    assert (finding["producer_id"], finding["first_offset"], finding["last_offset"]) == (7, 106, 108)
    assert "late write" in finding["cause"][0]
    assert any("it looks like a late write" in step["text"] for step in finding["steps"])
