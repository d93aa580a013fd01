"""The questions about one open transaction: what they ask is declared, what is unknown proves nothing."""

import dataclasses
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st
from pyspark.sql import SparkSession
from pyspark.sql.types import DataType, StructType

from analyzer.lifecycles.judging.judgement import COLUMN, JUDGEMENT, judgement_of, with_judgement
from analyzer.lifecycles.judging.open_transaction import (
    Batch,
    Decided,
    Newest,
    OpenTransaction,
    Part,
    Rest,
    parts_of,
)
from analyzer.lifecycles.opens.tables import OPENS
from analyzer.tables.catalog import TOLD_MOMENTS
from analyzer.tables.model import ddl_of

TYPES = {"string": str, "bigint": int, "int": int, "boolean": bool, "array<int>": list}
HANG = frozenset({
    "hanging_undecided", "hanging_late_write", "hanging_never_registered", "idle_write", "hanging_unexplained",
    "marker_missing_commit", "marker_missing_abort",
})  # fmt: skip
PROOFS = ("reach_ms", "replica_reach_ms", "state_newest_ms", "state_sound", "later_marker_ms", "newer_epoch_ms")
"""What proves how far a copy reaches, or that it is whole."""

NOTHING: dict[str, Any] = dict.fromkeys(parts_of(OpenTransaction))
MS = st.sampled_from([1_000, 2_000, 3_000, 62_000, 64_000, 130_000])
TEXTS = {
    "transactional_id": ["a"],
    "captured_at_source": [*sorted(TOLD_MOMENTS), "newest batch"],
    "state": ["PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort"],
    "decision": ["COMMIT", "ABORT"],
    "gone": ["below start"],
}


def declared(kind: type[Part], row: StructType) -> list[str]:
    """What a part asks for that the declaration does not have, or has as another type."""
    hints = {field.name: str(field.type) for field in dataclasses.fields(kind)}
    wrong = []
    for name, part in parts_of(kind).items():
        given: DataType | None = row[name].dataType if name in row.names else None
        if isinstance(given, StructType) and part is not None:
            wrong += declared(part, given)
        elif given is None or TYPES[given.simpleString()].__name__ not in hints[name]:
            wrong.append(f"{kind.__name__}.{name}")
    return wrong


def test_what_is_asked_for_is_declared(spark: SparkSession) -> None:
    assert declared(OpenTransaction, spark.createDataFrame([], ddl_of(OPENS.columns)).schema) == []


def values(name: str, hint: str) -> st.SearchStrategy[Any]:
    if name in TEXTS:
        return st.sampled_from(TEXTS[name])
    if "bool" in hint:
        return st.booleans()
    if "list" in hint:
        return st.just([])
    return MS if name.endswith("_ms") or name in {"captured_at", "ms", "max_timestamp"} else st.integers(0, 2)


def parts(kind: type[Part]) -> st.SearchStrategy[Any]:
    """Any part of which each field may be unknown."""
    hints = {field.name: str(field.type) for field in dataclasses.fields(kind)}
    fields = {
        name: st.none() | (values(name, hints[name]) if part is None else parts(part))
        for name, part in parts_of(kind).items()
    }
    return st.builds(kind, **fields)


@settings(max_examples=400, deadline=None)
@given(parts(OpenTransaction), st.sets(st.sampled_from(PROOFS), min_size=1))
@example(
    OpenTransaction(**NOTHING | {
        "transactional_id": "a", "highest_data_epoch": 0, "highest_epoch": 0, "rest": Rest(2_000, 2_000, False),
        "last_batch": Batch(1_000), "reach_ms": 3_000,
    }),
    {"reach_ms"},
)  # fmt: skip
def test_what_is_unknown_proves_nothing(whole: OpenTransaction, unknown: set[str]) -> None:
    less = dataclasses.replace(whole, **dict.fromkeys(unknown))
    assert judgement_of(less).kind not in HANG - {judgement_of(whole).kind}


def test_the_example_hangs_while_its_copy_is_shown_to_reach_far_enough() -> None:
    row = NOTHING | {"transactional_id": "a", "highest_data_epoch": 0, "highest_epoch": 0, "reach_ms": 3_000}
    told = row | {"rest": Rest(2_000, 2_000, False), "last_batch": Batch(1_000), "lag_is_own": True}
    assert judgement_of(OpenTransaction(**told)).kind == "hanging_unexplained"
    assert judgement_of(OpenTransaction(**told | {"reach_ms": 1_000})).kind is None
    assert judgement_of(OpenTransaction(**told | {"margin_ms": 2_000})).kind is None
    assert judgement_of(OpenTransaction(**told | {"lag_is_own": False})).kind is None, "its client's clock may be slow"


def test_data_from_between_a_decision_and_its_completion_may_have_a_marker_after_the_end_of_its_copy() -> None:
    """A producer goes on writing until the marker of a timeout comes, and that one ends what it wrote."""
    row = NOTHING | {"transactional_id": "a", "highest_data_epoch": 0, "highest_epoch": 0, "state_newest_here": True}
    told = row | {
        "rest": Rest(9_000, 2_000, False),
        "last_batch": Batch(8_000),
        "state_newest_ms": 20_000,
        "stamp_lag_ms": 0,
    }
    assert judgement_of(OpenTransaction(**told)).kind is None
    assert judgement_of(OpenTransaction(**told | {"reach_ms": 9_000})).kind == "hanging_unexplained"
    assert judgement_of(OpenTransaction(**told | {"last_batch": Batch(12_000)})).kind == "hanging_unexplained"


def test_a_row_that_says_nothing_is_undecided() -> None:
    judged = judgement_of(OpenTransaction(**NOTHING))
    assert (judged.kind, judged.standing, judged.pending_on) == (None, "no_record", "undecided")


@pytest.mark.parametrize(
    ("least", "whose"),
    [
        ({"appended_by_ms": 1}, "brokers"),
        ({"others_ms": 100_001}, "producers"),
        ({"snapshot_ms": 1, "paced_ms": 100_001}, "pace"),
        ({"snapshot_ms": 1}, "own"),
        ({"snapshot_ms": 1, "appended_by_ms": 150_000}, None),
    ],
)
def test_an_age_is_told_by_the_clock_that_is_worth_most(least: dict[str, int], whose: str | None) -> None:
    here = {"authority": True, "disputed": False, "has_log": True, "captured_at": 200_000, "max_timeout_ms": 40_000}
    assert judgement_of(OpenTransaction(**NOTHING | here | least)).aged_by == whose


def test_a_session_adds_the_judgement_and_changes_nothing(spark: SparkSession) -> None:
    row = dict.fromkeys(column.name for column in OPENS.columns if column.name != COLUMN)
    told = row | {"transactional_id": "a", "highest_data_epoch": 1, "highest_epoch": 0, "first_offset": 7}
    opens = spark.createDataFrame([row, told], ddl_of(column for column in OPENS.columns if column.name != COLUMN))
    judged = with_judgement(opens)
    assert dict(judged.dtypes)[COLUMN] == JUDGEMENT
    assert [kept.asDict() for kept in judged.drop(COLUMN).collect()] == [kept.asDict() for kept in opens.collect()]
    assert [one[COLUMN].standing for one in judged.collect()] == ["no_record", "unknown_epoch"]


@pytest.mark.parametrize(("log_epoch", "kind"), [(None, "completing"), (0, "completing"), (1, "marker_missing_commit")])
def test_only_a_newer_leader_epoch_cuts_a_marker_off(log_epoch: int | None, kind: str) -> None:
    """Dumps before 2.2 print no leader epoch: what is unknown is not newer."""
    decided = Decided("COMMIT", 2_000, 3_000, "CompleteCommit", 1_000, None, True, 0, 0, False, 1)
    known = {"transactional_id": "a", "highest_data_epoch": 0, "highest_epoch": 0, "producer_epoch": 0, "lost": decided}
    epochs = {"log_epoch": log_epoch, "last_leader_epoch": None if log_epoch is None else 0}
    assert judgement_of(OpenTransaction(**NOTHING | known | epochs)).kind == kind


FENCED = {
    "transactional_id": "a", "highest_data_epoch": 0, "producer_epoch": 0, "highest_epoch": 2, "last_named_txn": 1,
    "rest": Rest(2_000, 2_000, False), "newest": Newest(2_000, 0), "last_batch": Batch(9_000), "margin_ms": 1_000,
}  # fmt: skip
COMMITTED = Decided("COMMIT", 1_500, 2_000, "CompleteCommit", 1_000, None, True, 0, 0, False, 1)


@pytest.mark.parametrize(
    ("told", "by", "kind"),
    [
        ({"earlier_ms": 8_000}, "clock", "hanging_unexplained"),
        ({"earlier_ms": 8_000, "lost": COMMITTED}, "clock", "hanging_unexplained"),
        ({"earlier_ms": 2_500, "lost": COMMITTED}, None, "completing"),
        ({"lost": COMMITTED}, None, "completing"),
        ({"earlier_ms": 8_000, "highest_epoch": 0}, None, None),
        ({"ended_epoch": 1}, "log", "hanging_unexplained"),
        ({"ended_epoch": 0}, None, None),
    ],
)
def test_a_fenced_producer_has_no_transaction(told: dict[str, Any], by: str | None, kind: str | None) -> None:
    """Neither a decision from before its data is its own, nor need the state files reach that far."""
    judged = judgement_of(OpenTransaction(**NOTHING | FENCED | told))
    assert (judged.outlived, judged.kind) == (by, kind)


@pytest.mark.parametrize(
    ("told", "kind"),
    [({}, "hanging_unexplained"), ({"state_newest_here": False}, None), ({"reach_ms": 1_000}, None)],
)
def test_an_id_that_went_on_begins_no_transaction_with_what_it_had_before(
    told: dict[str, Any], kind: str | None
) -> None:
    """The state files need not be newer than its data (RULES D 1 f)."""
    row = FENCED | {"rest": Rest(2_000, 2_000, True), "state_newest_here": True, "reach_ms": 9_000}
    assert judgement_of(OpenTransaction(**NOTHING | row | told)).kind == kind
