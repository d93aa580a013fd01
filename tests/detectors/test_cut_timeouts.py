"""A dump of states that ends inside the digits of a timeout, as a paste or a full disk leaves it."""

import pytest
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

LOG = "0..1 data p7e0 s0 @100\n2 data p8e0 s0 @200\n3 COMMIT p8e0 @250"
STATES = "0 state {} p{}e0 Empty @50\n1 state pay-2 p8e0 CompleteCommit @260\n2 state pay-1 p7e0 Ongoing orders-0 @100"
WHOLE = "txnTimeoutMs=60000\n"


def capture(left, *, told_before, time):
    """The newest record is Ongoing, and so much of its timeout is left; the one before may be of the same id."""
    states = STATES.format(*(("pay-1", 7) if told_before else ("pay-0", 9)))
    files = taken_at(time) | dumps_of({"orders-0": LOG, "__transaction_state-0": states})
    [path] = [path for path in files if "__transaction_state" in path and path.endswith("log.txt")]
    assert files[path].endswith(WHOLE)
    return files | {path: files[path].removesuffix(WHOLE) + left}


CAPTURES = {
    f"{len(left)} {told} {time}": capture(left, told_before=told, time=time)
    for left in (WHOLE, WHOLE.rstrip(), "txnTimeoutMs=60", "txnTimeoutMs=6")
    for told in (True, False)
    for time in ("10:00:30", "10:10:00")
}


@judged_together
def documents():
    return CAPTURES


@pytest.mark.parametrize("name", [name for name in CAPTURES if name.endswith("30")])
def test_what_runs_inside_its_timeout_is_not_over_it(documents, name):
    assert not documents[name]["findings"]
    [row] = documents[name]["open_transactions"]
    assert row["verdict"] == "in_flight"
    known = "True" in name or name.startswith(str(len(WHOLE)))
    assert ("inside its timeout" in row["why"] and "cut inside" not in row["why"]) == known


@pytest.mark.parametrize("name", [name for name in CAPTURES if name.endswith("00") and "True" in name])
def test_the_record_before_tells_the_timeout_that_is_cut(documents, name):
    [finding] = documents[name]["findings"]
    assert finding["code"] == "TXN001"
    assert "8 min 59 s over" in finding["headline"]


@pytest.mark.parametrize("name", [name for name in CAPTURES if name.endswith("00") and "False" in name])
def test_a_timeout_that_nothing_tells_is_not_known(documents, name):
    document = documents[name]
    if name.startswith(str(len(WHOLE))):
        assert [one["code"] for one in document["findings"]] == ["TXN001"]
    else:
        assert (document["findings"], document["verdict"]) == ([], "inconclusive")
