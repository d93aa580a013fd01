"""Two answers about one transaction prove that it was open all the time between; one answer told twice does not."""

import pytest

from analyzer.detectors.answers import hanging, prepared
from analyzer.detectors.answers.evidence import Answered
from analyzer.detectors.model import evidence_from
from analyzer.detectors.subject import evidence_of
from analyzer.lifecycles.answers.answered import answered

ANSWERS = (
    "capture string, path string, line bigint, byte_offset bigint, asked string, topic string, partition int, "
    "transactional_id string, producer_id bigint, producer_epoch int, coordinator_epoch int, coordinator int, "
    "state string, timeout_ms bigint, started_ms bigint, last_ms bigint, first_offset bigint, "
    "partitions array<string>, answered_ms bigint, unshown boolean, terminated boolean, leader_at bigint, follower int, "
    "place_by string, turn bigint"
)
PLACES = "capture string, path string, copied_at bigint"
OPENS = (
    "capture string, topic string, partition int, producer_id bigint, replica string, transactional_id string, "
    "authority boolean"
)
TXNS = "capture string, topic string, partition int, producer_id bigint, first_offset bigint, marker_offset bigint"
BEGUN = 1_767_261_600_000
MINUTE = 60_000


def shown(capture, path, *, at=None, first=18, epoch=0, tool="find_hanging"):
    """An answer of a partition's leader: open from an offset."""
    return (
        capture, path, 2, 0, tool, "orders", 0, None, 7, epoch, 3, None, None, None, None, BEGUN, first, None,
        None if at is None else BEGUN + at * MINUTE, None, None, None, None, None, 2,
    )  # fmt: skip


def state(capture, path, name, *, at=None, started=0):
    """An answer of the coordinator about the id of the same producer."""
    asked = "list_transactions" if at is None else "describe_transaction"
    return (
        capture, path, 3, 0, asked, None, None, "pay-1", 7, 0, None, 1, name, 15 * MINUTE,
        BEGUN + started * MINUTE, None, None, None, None if at is None else BEGUN + at * MINUTE, None, None, None, None,
        None, 3,
    )  # fmt: skip


DUMPED = "describe_producers"
ROWS = [
    shown("once", "a", at=10),
    shown("told twice", "a", at=10), shown("told twice", "b", at=10),
    shown("twice", "a", at=2), shown("twice", "b", at=12),
    shown("another", "a", at=2, first=9), shown("another", "b", at=12),
    shown("fenced", "a", at=2, epoch=1), shown("fenced", "b", at=12),
    shown("asked last", "early.txt", tool=DUMPED), shown("asked last", "b", at=12),
    shown("resting", "early.txt", tool=DUMPED), state("resting", "x", "CompleteAbort", at=6),
    shown("resting", "late.txt", tool=DUMPED),
    shown("resting later", "early.txt", tool=DUMPED), shown("resting later", "late.txt", tool=DUMPED),
    state("resting later", "x", "CompleteAbort", at=30),
    shown("for hours", "early.txt", tool=DUMPED), shown("for hours", "hours.txt", tool=DUMPED),
    state("decided", "x", "PrepareCommit", at=1), state("decided", "y", "PrepareCommit", at=7),
    state("decided again", "x", "PrepareCommit", at=1), state("decided again", "y", "PrepareCommit", at=7, started=5),
]  # fmt: skip
WRITTEN = {"early.txt": 4, "late.txt": 14, "hours.txt": 70}
LED = "path string, led_by string, written bigint"


@pytest.fixture(scope="module")
def found(spark):
    names = sorted({row[0] for row in ROWS})
    places = [(name, path, BEGUN + at * MINUTE) for name in names for path, at in WRITTEN.items()]
    rows = answered(
        spark.createDataFrame(ROWS, ANSWERS),
        spark.createDataFrame([], OPENS),
        spark.createDataFrame([(name, 15 * MINUTE) for name in names], "capture string, max_timeout_ms bigint"),
        spark.createDataFrame([], TXNS),
        spark.createDataFrame(places, PLACES),
        spark.createDataFrame([], "capture string, silent_by string"),
        spark.createDataFrame([], f"capture string, led array<struct<{LED}>>, open_by string"),
        spark.createDataFrame([], "capture string, topic string, partition int, unled_by string"),
    )
    return {
        row.capture: evidence_from(Answered, row.asDict(recursive=True))
        for row in evidence_of(Answered, rows).collect()
    }


@pytest.mark.parametrize(
    ("name", "standing", "minutes", "confidence"),
    [
        ("once", "hanging", None, "likely"),
        ("told twice", "hanging", None, "likely"),
        ("twice", "hanging", 10, "likely"),  # no coordinator answered
        ("another", "hanging", None, "likely"),
        ("fenced", "hanging", None, "likely"),
        ("asked last", "hanging", 8, "likely"),  # its coordinator was asked once, at the end
        ("resting", "resting", 10, "certain"),
        ("resting later", "resting", 10, "likely"),
        ("for hours", "aged", 66, "likely"),
    ],
)
def test_the_span_between_two_answers(found, name, standing, minutes, confidence):
    one = found[name]
    assert (one.standing, one.seen_ms) == (standing, None if minutes is None else minutes * MINUTE)
    told = hanging.explain(one)
    assert told.confidence == confidence
    texts = [step.text for step in told.steps]
    assert any("open from the same offset" in text for text in texts) == (minutes is not None)
    assert ("at two moments" in told.action.summary) == (minutes is not None)


def test_an_old_answer_alone_is_no_age(found):
    assert found["once"].seen_ms is None
    assert "of one moment: ask again" in hanging.explain(found["once"]).action.summary


def test_a_decision_that_two_answers_show_is_as_old_as_they_are_apart(found):
    assert prepared.explain(found["decided"]).confidence == "likely"
    assert found["decided"].prepared_ms == 6 * MINUTE
    assert prepared.explain(found["decided again"]).confidence == "possible"
