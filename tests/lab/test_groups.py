"""Groups and producers in real clusters: what KIP-447 and KIP-98 are about is found, and nowhere else."""

OURS = {
    "concurrent_group_producers",
    "pending_group_commit",
    "pid_hijack",
    "epoch_fence_without_coordinator",
    "sequence_gap",
}
ABOUT = ("topic", "partition", "producer_id", "transactional_id", "first_offset", "group")


def told(expected: dict, got: dict) -> bool:
    """Whether a finding is the expected one; what it leaves open (null) is no difference."""
    return got["name"] in names_of(expected) and all(
        expected[name] == got[name] for name in ABOUT if None not in (expected.get(name), got.get(name))
    )


def names_of(expected: dict) -> set[str]:
    return {expected["kind"], *expected.get("accept", []), *expected.get("alt_kinds", [])}


def test_every_expected_finding_in_every_scenario_and_no_other(scenarios):
    found = 0
    for scenario in scenarios.values():
        ours = [finding for finding in scenario.document["findings"] if finding["name"] in OURS]
        wanted = [one for one in scenario.expected() if names_of(one) & OURS]
        for one in wanted:
            assert one.get("optional") or any(told(one, finding) for finding in ours), (scenario.name, one)
        for finding in ours:
            assert any(told(one, finding) for one in wanted), (scenario.name, finding["headline"])
        found += len(ours)
    assert found >= 12


def test_each_position_in_conflict_has_a_finding_of_its_own(scenarios):
    findings = scenarios["concurrent_group_producers"].document["findings"]
    conflicts = {f["key"]: f for f in findings if f["name"] == "concurrent_group_producers"}
    assert set(conflicts) == {"clicks-1", "clicks-2"}
    assert {f["confidence"] for f in conflicts.values()} == {"certain"}
    assert "enricher-task-0_1: commits for one partition only" in conflicts["clicks-1"]["explanation"]


def test_pending_offsets_stand_under_the_hang_and_weigh_by_its_verdict(scenarios):
    findings = {f["id"]: f for f in scenarios["group_commit_hang"].document["findings"]}
    pending = {f["group"]: f for f in findings.values() if f["name"] == "pending_group_commit"}
    assert {group: f["severity"] for group, f in pending.items()} == {
        "agg-open": "info",
        "agg-late": "warning",
        "agg-unreg": "warning",
    }
    causes = {group: findings[f["folded_under"]]["name"] for group, f in pending.items() if f["folded_under"]}
    assert causes == {"agg-late": "hanging_late_write", "agg-unreg": "hanging_never_registered"}


def test_a_hang_names_the_groups_that_wait(scenarios):
    document = scenarios["group_commit_hang_json"].document
    waiting = {f["name"]: f["waiting"]["groups"] for f in document["findings"] if f.get("waiting")}
    assert waiting == {"hanging_late_write": ["tap-late"], "hanging_never_registered": ["tap-unreg"]}
    assert {(row["group"], row["pending"]) for row in document["group_impact"]} == {
        ("tap-late", True),
        ("tap-open", True),
        ("tap-unreg", True),
    }


def test_a_forged_epoch_is_the_verdict_and_names_its_consequences(scenarios):
    document = scenarios["pid_hijack"].document
    findings = {f["id"]: f for f in document["findings"]}
    (forged,) = [f for f in findings.values() if f["name"] == "pid_hijack"]
    assert forged["confidence"] == "certain"
    assert "epoch_fence_without_coordinator" in {findings[one]["name"] for one in forged["consequences"]}
    assert [row["verdict"] for row in document["open_transactions"]] == ["pid_hijack"]


def test_the_expiry_report_tells_every_id_and_what_is_gone(scenarios):
    expiry = {row["producer_id"]: row for row in scenarios["pid_hijack"].document["expiry"]}
    assert {row["transactional_id"] for row in expiry.values()} == {f"acct-{number}" for number in range(1, 6)}
    assert (expiry[0]["id_status"], expiry[0]["producer_status"]) == ("open", "open")
    done = expiry[1]
    assert (done["id_status"], done["producer_status"]) == ("live", "live")
    assert done["id_expires_ms"] - done["last_update_ms"] == 7 * 86_400_000
    gone = [row for row in scenarios["S15_clean_compaction"].document["expiry"] if row["id_status"] == "expired"]
    assert {row["transactional_id"] for row in gone} == {"prof-b", "prof-c"}
    assert not any(row["outlived"] for row in gone)
