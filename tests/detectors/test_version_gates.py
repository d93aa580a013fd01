"""Causes by the brokers' release: told where a release can have the fault, and what remains where it cannot."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_causes import NEW, causes, cluster, level
from test_contract import smallest

from analyzer.detectors.causes import CLEANED_INDEX, cleaned, misdirected
from analyzer.detectors.cluster import Cluster
from analyzer.detectors.registry import ALL
from analyzer.kafka.versions import brokers_of

DETECTORS = {one.name: one for one in ALL}


def of(version, which):
    return causes(Cluster(brokers_of(version)), which, None)


@pytest.mark.parametrize(
    ("version", "issues"),
    [
        ("2.8.1", ("13727", "14055")), ("2.8.2", ("14055",)), ("3.1.0", ("13727", "14055")), ("3.1.1", ("14055",)),
        ("3.2.0", ("14055",)), ("3.2.1", ()), ("3.3.0", ()), ("3.5.2", ()), ("4.2.0", ()),
    ],
)  # fmt: skip
def test_the_cleaners_faults_are_told_of_the_releases_that_have_them(version, issues):
    told = of(version, cleaned("ABORT"))
    now = [one for one in told if "before an upgrade" not in one]
    assert len(now) == len(issues)
    assert all(any(f"KAFKA-{issue}, fixed in" in one for one in now) for issue in issues)
    upgraded = [one for one in told if "before an upgrade" in one]
    assert bool(upgraded) == (len(issues) < 2)
    assert told[0] == (now or upgraded)[0].removeprefix("or ")


def test_a_commit_marker_goes_by_its_key_alone():
    told = of("3.2.0", cleaned("COMMIT"))
    assert len(told) == 1
    assert "4 bytes with 1 for COMMIT" in told[0]
    assert "KAFKA-14055" in told[0]
    assert "KAFKA-13727" not in " ".join(of(None, cleaned("COMMIT")))
    assert "KAFKA-14055" not in " ".join(of("3.0.0", CLEANED_INDEX)), "no key takes an entry from the .txnindex"


def test_brokers_that_were_never_older_than_the_fix_had_no_such_cleaner():
    assert causes(cluster(NEW, version="3.9.1"), cleaned("ABORT")) == []
    before = cluster(level("metadata.version", 3), version="3.9.1")
    (cause,) = causes(before, cleaned("ABORT"))
    assert "before an upgrade" in cause


@pytest.mark.parametrize("name", ["marker_missing_commit", "marker_missing_abort"])
@pytest.mark.parametrize(("was_cleaned", "version", "told"), [(True, "3.2.0", True), (True, "3.5.2", False),
                                                             (False, "3.2.0", False)])  # fmt: skip
def test_a_marker_that_is_missing_where_the_cleaner_was(name, was_cleaned, version, told):
    detector = DETECTORS[name]
    words = detector.way.explain(smallest(detector, completed_ms=9, state="Complete", cleaned=was_cleaned))
    found = " ".join(of(version, words.cause))
    assert ("KAFKA-14055, fixed in" in found) == told
    spared = version == "3.5.2" or name == "marker_missing_abort"
    assert ("before an upgrade" in found) == (was_cleaned and spared)


@pytest.mark.parametrize("place", ["orders", "__transaction_state"])
@pytest.mark.parametrize(
    ("version", "forgot"),
    [("3.5.2", True), ("3.6.2", True), ("3.7.1", True), ("3.8.0", False), ("4.1.1", False), (None, True)],
)
def test_a_coordinator_forgets_its_markers_before_3_8(version, forgot, place):
    detector = DETECTORS["prepare_stuck"]
    told = of(version, detector.way.explain(smallest(detector, topic=place)).cause)
    assert any("KAFKA-16352" in one for one in told) == forgot
    trunk = [one for one in told if "KAFKA-19999" in one]
    assert bool(trunk) == (place != "orders" and version not in {"3.5.2", "3.6.2", "3.7.1"})
    assert all("is known to do so, no release from 3.8.0 on" in one for one in trunk)


def test_a_java_producer_can_have_sent_the_batch_to_the_wrong_topic():
    (told,) = of("3.5.2", misdirected("orders"))
    assert "KAFKA-19012, fixed in 3.9.2, 4.0.2, 4.1.2 and 4.2.0" in told
    assert "has a sequence gap of this producer at the same time (PID003)" in told
    assert misdirected("__consumer_offsets") == ()
    detector = DETECTORS["hanging_never_registered"]
    assert any("KAFKA-19012" in one for one in of("3.5.2", detector.way.explain(smallest(detector, topic="t")).cause))
    assert "client other than the Java one" not in detector.page
