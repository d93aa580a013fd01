"""Simulated histories: what is legal gives no finding, one injected fault gives its finding and only that."""

import pytest
from captures import FAULTY, FORMS, Simulated, simulated
from faults import ALL

CAPTURES = list(simulated())
WHOLE = [one for one in CAPTURES if one.shows == "all"]


def name_of(one: Simulated) -> str:
    return one.name


def place(row: dict) -> str:
    return f"{row['topic']}-{row['partition']}"


def opens(document: dict) -> list[dict]:
    return [row for row in document["open_transactions"] if row["authority"]]


def elections_blamed(one: Simulated) -> set[tuple[str, str, int, int]]:
    """TXN008 beside a lost marker: right to name where the partition did change its leader behind the data."""
    lost = [found for found in one.history.expected if found[0] in {"TXN004", "TXN005", "TXN011"}]
    logs = one.history.cluster.logs
    return {
        ("TXN008", name, first, last)
        for _, name, first, last in lost
        if len({batch.leader_epoch for batch in logs[name].batches if batch.base_offset >= first}) > 1
    }


def true_verdict(one: Simulated, row: dict) -> str:
    """The verdict that the simulated coordinator's own state gives an open transaction."""
    (entry,) = [e for e in one.history.cluster.entries.values() if e.producer_id == row["producer_id"]]
    return "completing" if entry.state.startswith("Prepare") else "in_flight"


@pytest.mark.parametrize("one", WHOLE, ids=name_of)
def test_the_fault_and_nothing_else_is_found(judged, one):
    found = {(f["code"], place(f), f["first_offset"], f["last_offset"]) for f in judged[one.name]["findings"]}
    assert found - elections_blamed(one) == one.history.expected


@pytest.mark.parametrize("one", WHOLE, ids=name_of)
def test_what_is_open_and_the_lso_are_the_brokers_own(judged, one):
    cluster, document = one.history.cluster, judged[one.name]
    assert {(place(row), row["producer_id"], row["first_offset"]) for row in opens(document)} == set(
        cluster.open_transactions()
    )
    lso = {place(row): row["lso"] for row in document["partitions"] if row["authority"]}
    assert lso.items() >= {name: log.lso for name, log in cluster.logs.items() if log.batches}.items()


@pytest.mark.parametrize("one", WHOLE, ids=name_of)
def test_each_verdict_is_what_the_coordinator_knows(judged, one):
    for row in opens(judged[one.name]):
        if (place(row), row["producer_id"]) != one.history.fault_open:
            unsure = {"undecided"} if any(one.history.cluster.clocks_ms) else set()
            assert row["verdict"] in {true_verdict(one, row)} | unsure, row


@pytest.mark.parametrize("one", [one for one in CAPTURES if one.shows == "less"], ids=name_of)
def test_files_that_show_less_never_show_a_fault_that_was_not(judged, one):
    document = judged[one.name]
    # A coordinator file that ends before the coordinator's own abort shows a transaction just over its timeout.
    assert [f["headline"] for f in document["findings"] if (f["code"], f["confidence"]) != ("TXN001", "possible")] == []
    for row in opens(document):
        assert row["verdict"] in {"in_flight", "completing", "undecided", "hanging_undecided"}, row


@pytest.mark.parametrize("one", CAPTURES, ids=name_of)
def test_every_line_is_understood(judged, one):
    assert judged[one.name]["unparsed"] == {"lines": 0, "files": []}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fault", [fault.__name__ for fault in ALL])
def test_another_form_of_the_same_log_gives_the_same_ids(judged, fault, form):
    plain, other = judged[f"{fault}-0"], judged[f"{fault}-0-{form}"]
    assert [f["id"] for f in plain["findings"]] == [f["id"] for f in other["findings"]] != []
    verdicts = [
        [
            (place(row), row["producer_id"], row["first_offset"], row["last_offset"], row["verdict"])
            for row in opens(one)
        ]
        for one in (plain, other)
    ]
    assert verdicts[0] == verdicts[1]


def test_a_fault_is_found_with_its_neighbours_at_work_and_after_they_ended():
    captured = [(one.history.captured_at, one.name) for one in WHOLE if one.history.expected]
    assert len(captured) == len(ALL) * (FAULTY + len(FORMS))
