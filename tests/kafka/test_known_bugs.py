"""Known faults, branch by branch: a fix in 3.1.2 says nothing of 3.1.1, and nothing good of 3.2.0."""

import pytest

from analyzer.kafka.known_bugs.clients import WRONG_TOPIC
from analyzer.kafka.known_bugs.coordinator import PENDING_MARKERS_LOST
from analyzer.kafka.known_bugs.logs import MARKER_BEFORE_DATA, MARKER_BY_KEY
from analyzer.kafka.versions import brokers_of, brokers_with

AFFECTED = {
    MARKER_BEFORE_DATA: "2.0.0 2.7.2 2.8.0 2.8.1 3.0.0 3.0.1 3.1.0",
    MARKER_BY_KEY: "2.0.0 2.8.1 2.8.2 3.0.0 3.0.1 3.1.0 3.1.1 3.2.0",
    PENDING_MARKERS_LOST: "2.8.2 3.5.2 3.6.2 3.7.0 3.7.1 3.7.2",
    WRONG_TOPIC: "2.8.0 2.8.2 3.0.0 3.8.1 3.9.1 4.0.1 4.1.0 4.1.1",
}
SPARED = {
    MARKER_BEFORE_DATA: "2.8.2 3.0.2 3.1.1 3.1.2 3.2.0 3.3.0 4.1.1",
    MARKER_BY_KEY: "3.0.2 3.1.2 3.2.1 3.2.3 3.3.0 3.5.2 4.2.0",
    PENDING_MARKERS_LOST: "3.8.0 3.8.1 3.9.0 4.1.1",
    WRONG_TOPIC: "2.7.2 2.0.0 3.9.2 4.0.2 4.1.2 4.2.0 4.3.0",
}


def cases(told):
    return [(fault, version) for fault, versions in told.items() for version in versions.split()]


@pytest.mark.parametrize(("fault", "version"), cases(AFFECTED), ids=lambda one: getattr(one, "issue", one))
def test_a_release_before_its_branchs_fix_has_the_fault(fault, version):
    assert fault.affects(tuple(map(int, version.split("."))))
    if fault.software == "brokers":
        assert fault.may_affect(brokers_of(version))
        assert not fault.may_spare(brokers_of(version))


@pytest.mark.parametrize(("fault", "version"), cases(SPARED), ids=lambda one: getattr(one, "issue", one))
def test_a_release_with_the_fix_has_not(fault, version):
    assert not fault.affects(tuple(map(int, version.split("."))))
    if fault.software == "brokers":
        assert not fault.may_affect(brokers_of(version))
        assert fault.may_spare(brokers_of(version))


@pytest.mark.parametrize("version", [None, "7.6.1-ccs"])
def test_of_an_unknown_version_nothing_is_ruled_out(version):
    for fault in AFFECTED:
        assert fault.may_affect(brokers_of(version))
        assert fault.may_spare(brokers_of(version))


def test_a_version_without_a_patch_may_be_either():
    assert MARKER_BY_KEY.may_affect(brokers_of("3.1"))
    assert MARKER_BY_KEY.may_spare(brokers_of("3.1"))
    assert not MARKER_BY_KEY.may_affect(brokers_of("3.3"))
    assert not PENDING_MARKERS_LOST.may_spare(brokers_of("3.7"))


def test_a_finalized_metadata_version_is_the_oldest_that_brokers_can_be():
    assert MARKER_BY_KEY.may_affect(brokers_with("3"))
    assert not MARKER_BY_KEY.may_affect(brokers_with("4"))
    assert not MARKER_BEFORE_DATA.may_affect(brokers_with("3"))


def test_the_brokers_release_says_nothing_of_a_client():
    assert WRONG_TOPIC.may_affect(brokers_of("4.3.0"))
    assert WRONG_TOPIC.may_spare(brokers_of("3.5.2"))


def test_the_releases_are_named():
    assert MARKER_BY_KEY.named() == "KAFKA-14055, fixed in 3.0.2, 3.1.2, 3.2.1 and 3.3.0"
    assert PENDING_MARKERS_LOST.named() == "KAFKA-16352, fixed in 3.8.0"
