"""Records whose outcome for readers is not the decided one, counted from what real consumers were given."""

import json

import pytest

CONSUMED = (
    "S5_kafka13727_1_before", "S5_kafka13727_2_after_pass1", "S5_kafka13727_3_after_pass2",
    "S5_kafka13727_4_after_pass3", "S5_fixed_1_before", "S5_fixed_2_after_pass1", "S5_fixed_3_after_pass2",
    "S8_marker_lost", "S8b_truncation", "S8c_slipped_after_lost_marker", "S14_prepare_stuck_down",
    "S14c_stuck_coordinator_down", "S15_clean_compaction", "S15_clean_compaction_mid",
)  # fmt: skip
"""Scenarios of which a read_committed consumer kept what it was given."""


def given(scenario):
    """The offsets that a read_committed consumer was given, by partition."""
    rows = json.loads((scenario.folder / "oracle" / "consumed.read_committed.json").read_text("utf-8"))
    return {place: {row[0] for row in some} for place, some in rows.items()}


def decided(scenario, outcome):
    """The offsets of transactions with this outcome, by partition."""
    found: dict[str, set[int]] = {}
    for one in scenario.truth["transactions"]:
        for place, (first, last) in one["partitions"].items() if one["outcome"] == outcome else ():
            found.setdefault(place, set()).update(range(first, last + 1))
    return found


def named(scenario, impact, *, code=None):
    """The offsets that findings with this impact name, by partition; their counts of records must agree."""
    found: dict[str, set[int]] = {}
    for one in scenario.document["findings"]:
        if (one.get("readers") or {}).get("impact") == impact and code in {None, one["code"]}:
            offsets = set(range(one["first_offset"], one["last_offset"] + 1))
            assert one["readers"]["records"] == len(offsets)
            found.setdefault(f"{one['topic']}-{one['partition']}", set()).update(offsets)
    return found


@pytest.mark.parametrize("name", CONSUMED)
def test_the_findings_name_every_aborted_record_that_consumers_were_given_and_no_other(scenarios, name):
    aborted, seen = decided(scenarios[name], "abort"), given(scenarios[name])
    shown = {place: offsets & seen.get(place, set()) for place, offsets in aborted.items()}
    assert named(scenarios[name], "wrong_data") == {place: offsets for place, offsets in shown.items() if offsets}


def test_they_name_every_committed_record_that_another_marker_hides(scenarios):
    scenario = scenarios["S8c_slipped_after_lost_marker"]
    seen = given(scenario)
    hidden = {place: offsets - seen[place] for place, offsets in decided(scenario, "commit").items()}
    lost = {place: offsets for place, offsets in hidden.items() if offsets}
    assert lost
    assert named(scenario, "lost_data") == named(scenario, "lost_data", code="TXN011") == lost


def test_late_records_that_the_next_transaction_committed_are_named_whole(scenarios):
    slipped = scenarios["late_write"].truth["slipped_records"]
    expected = {place: set(range(first, last + 1)) for place, (first, last) in slipped.items()}
    assert named(scenarios["late_write"], "wrong_data", code="TXN011") == expected
