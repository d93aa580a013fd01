"""Where coordinator state lies in real clusters whose internal topic was expanded, and in those where it was not."""

from collections import defaultdict

import pytest

from analyzer.lifecycles.coordinator.merging import coordinator_records
from analyzer.lifecycles.placing import capture_sections
from analyzer.lifecycles.routing.places import group_ends, group_extents, group_rows, routing

EXPANDED = {
    "coordinator_expansion_mid": (50, 150),
    "coordinator_expansion_after": (50, 150),
    "coordinator_expansion_rf3_mid": (10, 20),
    "coordinator_expansion_rf3_after": (10, 20),
}
CONTROLS = {
    "coordinator_expansion_before": 50,
    "coordinator_expansion_rf3_before": 10,
    "coordinator_never_expanded": 50,
    "coordinator_partial_dumps": 50,
}
TOPIC = "__transaction_state"
CODES = {"RTE001", "RTE002", "RTE003", "RTE004"}


def of(scenario, kind: str) -> list[dict]:
    return [finding for finding in scenario.document["findings"] if finding["name"] == kind]


def expected(scenario, kind: str) -> list[dict]:
    return [one for one in scenario.expected() if one["kind"] == kind and one["topic"] == TOPIC]


@pytest.mark.parametrize("name", EXPANDED)
def test_misplaced_split_and_orphaned_ids_are_exactly_those(scenarios, name):
    scenario = scenarios[name]
    about = ("transactional_id", "partition", "producer_id", "producer_epoch")
    for kind in ("misrouted_state", "orphan_state"):
        wanted = {tuple(one[key] for key in about) for one in expected(scenario, kind)}
        assert {tuple(one[key] for key in about) for one in of(scenario, kind)} == wanted
    assert {one["confidence"] for one in of(scenario, "misrouted_state")} == {"certain"}
    known = "likely" if "rf3" in name else "certain"  # of three replicas, nothing says which one leads
    assert {one["confidence"] for one in of(scenario, "orphan_state")} == {known}
    wanted = {one["transactional_id"] for one in expected(scenario, "split_brain_id")}
    assert {one["transactional_id"] for one in of(scenario, "split_brain_id")} == wanted


@pytest.mark.parametrize("name", EXPANDED)
def test_counts_and_cut_over_come_from_the_files_alone(scenarios, name):
    scenario = scenarios[name]
    (cutover,) = of(scenario, "routing_cutover")
    (topic,) = [one for one in scenario.document["routing"]["topics"] if one["topic"] == TOPIC]
    assert (topic["old_count"], topic["new_count"], topic["rivals"]) == (*EXPANDED[name], [])
    assert (cutover["confidence"], topic["new_exact"]) == ("certain", True)
    assert "told_count" not in topic


@pytest.mark.parametrize("name", EXPANDED)
def test_the_expansion_is_the_one_headline(scenarios, name):
    scenario = scenarios[name]
    (cutover,) = of(scenario, "routing_cutover")
    found = {one["id"]: one for one in scenario.document["findings"]}
    assert cutover["folded_under"] is None
    for one in found.values():
        head = one
        while head["folded_under"]:
            head = found[head["folded_under"]]
        assert head["id"] == cutover["id"], one["headline"]


@pytest.mark.parametrize("name", EXPANDED)
def test_open_data_of_orphans_is_orphaned_and_what_is_served_is_in_flight(scenarios, name):
    scenario = scenarios[name]
    pending = {"in_flight", "hanging_undecided", "orphan_state"}
    rows = [one for one in scenario.expected() if one["kind"] in pending and one["topic"] != TOPIC]
    assert rows
    got = {
        (row["topic"], row["partition"], row["producer_id"]): row
        for row in scenario.document["open_transactions"]
        if row["authority"]
    }
    orphans = {one["id"] for one in of(scenario, "orphan_state")}
    for one in rows:
        row = got.pop((one["topic"], one["partition"], one["producer_id"]))
        assert row["verdict"] == ("in_flight" if one["kind"] == "in_flight" else "orphaned"), one
        assert row["verdict"] == "in_flight" or row["finding"] in orphans
    assert not got


@pytest.mark.parametrize("name", CONTROLS)
def test_controls_have_one_count_and_no_finding(scenarios, name):
    document = scenarios[name].document
    (topic,) = [one for one in document["routing"]["topics"] if one["topic"] == TOPIC]
    assert (topic["how"], topic["new_count"], topic["rivals"]) == ("one", CONTROLS[name], [])
    assert not document["findings"]


def test_no_other_scenario_has_a_finding_on_routing(scenarios):
    for name, scenario in scenarios.items():
        if name not in EXPANDED:
            assert not CODES & {finding["code"] for finding in scenario.document["findings"]}, name


def test_every_id_lies_where_the_truth_has_it(scenarios, dumps_case):
    """Partitions, offsets and producer ids of each id, in all eight captures."""
    names = [*EXPANDED, *CONTROLS]
    files = dumps_case.read("capture_files")
    files = files.where(files.capture.isin(names))
    places = capture_sections(files, dumps_case.read("sections"))
    none_cut = places.where("false").selectExpr("capture", "partition AS state_partition", "replica", "0L AS offset")
    records = coordinator_records(dumps_case.read("coordinator_states"), places, none_cut)
    of_groups = group_rows(dumps_case.read("offset_commits"), dumps_case.read("group_metadata"), places)
    extents = group_extents(of_groups)
    rows = routing(records, extents, group_ends(extents, of_groups)).collect()
    got = defaultdict(dict)
    for row in rows:
        if row.topic == TOPIC:
            got[row.capture, row.id][row.partition] = (row.first_offset, row.last_offset, row.producer_ids)
    compared = 0
    for name in names:
        given = set(scenarios[name].truth.get("given_transaction_state_partitions", range(150)))
        for one, truth in scenarios[name].truth["ids"].items():
            held = truth["held"].items()
            wanted = {
                int(at): (there["first_offset"], there["last_offset"], sorted(there["producer_ids"]))
                for at, there in held
            }
            assert got[name, one] == {at: there for at, there in wanted.items() if at in given}, (name, one)
            compared += 1
    assert compared > 300
