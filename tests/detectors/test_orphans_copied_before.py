"""A decided transaction whose state no broker looks for: its markers may have been written since its log was copied."""

import pytest
from judged_captures import documents_of
from pages import FOLDER, examples_of

(DECIDED,) = [
    one
    for one in examples_of("orphan_state", (FOLDER / "orphan_state.md").read_text(encoding="utf-8"))
    if one.name.endswith("Decided COMMIT")
]
LOG, STATES = (f"broker-1/{name}/00000000000000000000.log.txt" for name in ("orders-0", "__transaction_state-0"))
TWO = (
    DECIDED.files[STATES]
    .replace("partitions=[orders-0]", "partitions=[orders-0,orders-1]")
    .replace("1767261602000", "1767261690500")
)
"""It is decided at 10:01:30.5."""
OLDER = DECIDED.files[LOG].partition("baseOffset: 2 ")[0]
BESIDE = LOG.replace("orders-0", "orders-1")


def capture(log, until="10:10:00"):
    """The same transaction in two partitions, whose logs end together."""
    toml = DECIDED.files["capture.toml"].replace("10:10:00", until)
    return DECIDED.files | {STATES: TWO, LOG: log, BESIDE: log.replace("orders-0", "orders-1"), "capture.toml": toml}


CAPTURES = {
    "reaches": capture(DECIDED.files[LOG].replace("CreateTime", "LogAppendTime")),
    "ends before": capture(OLDER, "10:02:00"),
}


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    return documents_of(spark, tmp_path_factory.mktemp("orphans"), CAPTURES)


def test_a_log_that_reaches_the_decision_shows_that_its_marker_is_missing(documents):
    assert {row["verdict"] for row in documents["reaches"]["open_transactions"]} == {"orphaned"}


def test_a_log_that_ends_before_the_decision_shows_nothing_to_abort(documents):
    document = documents["ends before"]
    row, _ = document["open_transactions"]
    assert (row["verdict"], row["fetch"]) == ("undecided", "a newer copy of orders-0")
    assert "PrepareCommit of pay-7 is in __transaction_state-0" in row["why"]
    (orphan,) = [one for one in document["findings"] if one["code"] == "RTE004"]
    told = str(orphan["action"]["steps"])
    assert "abort --topic orders" not in told
