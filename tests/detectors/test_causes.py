"""Which causes a cluster cannot have had: only what the controllers' log shows for the whole time is dropped."""

import dataclasses

import pytest

from analyzer.detectors.causes import SLIPPED, cut_off, possible, proofs, told, unverified
from analyzer.detectors.cluster import Cluster, Period
from analyzer.kafka.versions import brokers_of, brokers_with

FIRST, SINCE, UNTIL, LAST = 1_000_000, 2_000_000, 3_000_000, 4_000_000
LOG = {"complete": True, "undecoded_records": 0, "first_ms": FIRST, "last_ms": LAST, "migrated": False}
PERIOD = Period("orders", 0, SINCE, UNTIL)
VERIFICATION = "transaction.partition.verification.enable"
REF = {"path": "log", "line": None, "byte_offset": 7, "record": 0}


def setting(name, value, since=None, until=None, *, kind="broker", whose="", dated=True):
    return {
        "resource_type": kind, "resource": whose, "config": name, "setting": value, "from_ms": since,
        "until_ms": until, "dated": dated, "ref": REF,
    }  # fmt: skip


def level(name, value, since=None, until=None):
    return setting(name, str(value), since, until, kind="feature")


def event(kind, at, broker=1, place=(None, None)):
    return {"event": kind, "changed_ms": at, "offset": at, "broker": broker, "topic": place[0], "partition": place[1],
            "ref": REF}  # fmt: skip


def cluster(*settings, events=(), version="3.9.1", log=LOG, **more):
    return Cluster(brokers_of(version), UNTIL, settings, log, events, **more)


def causes(known, which, period=PERIOD):
    return told(possible(which, known, period), known, "orders")


def is_unverified(known, period=PERIOD):
    return any("was false" in one for one in causes(known, unverified("orders"), period))


NEW = level("metadata.version", 21)
TRUE = setting(VERIFICATION, "true")


def test_a_default_of_all_brokers_that_was_never_off_rules_it_out():
    assert causes(cluster(NEW, TRUE), unverified("orders")) == []


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ((), "each broker's own file decides"),
        ((setting(VERIFICATION, "true", SINCE + 1),), "unset at the begin"),
        ((setting(VERIFICATION, None, FIRST),), "removed before"),
        ((setting(VERIFICATION, "true", None, SINCE + 9), setting(VERIFICATION, "false", SINCE + 9)), "switched off"),
        ((TRUE, setting(VERIFICATION, "false", FIRST, whose="2")), "one broker has its own"),
        ((setting(VERIFICATION, "true", dated=False),), "asked later"),
    ],
)
def test_a_setting_that_may_have_been_off_stays(settings, why):
    assert is_unverified(cluster(NEW, *settings)), why


@pytest.mark.parametrize(
    "log",
    [
        None,
        LOG | {"complete": False},
        LOG | {"undecoded_records": 1},
        LOG | {"first_ms": SINCE},
        LOG | {"last_ms": UNTIL - 60_000},
    ],
    ids=["no log", "a gap", "records that say nothing", "begins too late", "ends too early"],
)
def test_a_log_that_does_not_cover_the_time_rules_nothing_out(log):
    assert is_unverified(cluster(NEW, TRUE, log=log))


def test_without_a_broker_set_time_the_topic_is_as_old_as_its_creation():
    created = event("topic_created", FIRST + 60_000, place=("orders", None))
    period = dataclasses.replace(PERIOD, since_ms=None)
    assert is_unverified(cluster(NEW, TRUE), period)
    assert not is_unverified(cluster(NEW, TRUE, events=[created]), period)
    assert is_unverified(cluster(NEW, TRUE, events=[created], log=LOG | {"migrated": True}), period)


def test_a_setting_that_was_off_is_shown():
    known = cluster(NEW, setting(VERIFICATION, "false", FIRST, SINCE + 9), setting(VERIFICATION, "true", SINCE + 9))
    (cause,) = causes(known, unverified("orders"))
    assert cause.endswith(f"({VERIFICATION} is true now)")
    ((text, ref),) = proofs(possible(unverified("orders"), known, PERIOD), known, PERIOD)
    assert text.startswith(f"{VERIFICATION} was false for all brokers since ")
    assert ref == REF


def test_an_upgrade_during_the_time_stays_possible():
    before = (level("metadata.version", 11, None, SINCE + 9), level("metadata.version", 14, SINCE + 9))
    assert "in the middle of an upgrade" in causes(cluster(*before, TRUE), unverified("orders"))[0]
    assert causes(cluster(level("metadata.version", 14), TRUE), unverified("__consumer_offsets")) != []


def test_files_and_tools_of_now_are_told_and_rule_nothing_out():
    given = {"broker-1/server.properties": {"unclean.leader.election.enable": "false"}}
    known = cluster(
        setting("min.insync.replicas", "2", dated=False, kind="topic", whose="orders"), log=None, given=given
    )
    unclean, crash = causes(known, cut_off("the marker"))
    assert unclean.endswith("(unclean.leader.election.enable is false now)")
    assert crash.endswith("(min.insync.replicas is 2 now)")


def test_a_partition_without_election_and_restart_lost_nothing_in_one():
    (cause,) = causes(cluster(NEW), cut_off("the marker"))
    assert "by hand" in cause
    elsewhere = [event("unclean_election", SINCE + 1, place=("orders", 1)), event("restarted", SINCE - 60_000)]
    assert causes(cluster(NEW, events=elsewhere), cut_off("the marker")) == [cause]
    here = [event("unclean_election", SINCE + 1, place=("orders", 0))]
    assert "unclean election" in causes(cluster(NEW, events=here), cut_off("the marker"))[0]


def test_with_eligible_replicas_as_many_must_crash_as_min_insync_replicas():
    one, two = event("restarted", SINCE + 1, 1), event("restarted", SINCE + 2, 2)
    copies = setting("min.insync.replicas", "2", kind="topic", whose="orders")
    elr = level("eligible.leader.replicas.version", 1)

    def crashed(*settings, events):
        return any("unflushed" in one for one in causes(cluster(*settings, events=events), cut_off("the marker")))

    assert crashed(copies, events=[one])
    assert not crashed(copies, elr, events=[one])
    assert crashed(copies, elr, events=[one, two])
    assert crashed(elr, events=[one])


def test_a_finalized_metadata_version_tells_how_old_brokers_can_be():
    for version in ("14", "3.6-IV2"):
        assert causes(dataclasses.replace(cluster(log=None), brokers=brokers_with(version)), unverified("orders")) == [
            f"{VERIFICATION} was false, so leaders did not verify (KIP-890)",
            "or the leader still ran a version before 3.6, in the middle of an upgrade (KIP-890)",
        ]
        assert len(causes(dataclasses.replace(cluster(log=None), brokers=brokers_with(version)), unverified("__consumer_offsets"))) == 3  # fmt: skip
    assert brokers_with("1").version is None


def test_slips_by_transaction_version():
    slipped = causes(cluster(level("transaction.version", 2)), SLIPPED)
    assert len(slipped) == 2
    assert "older than 4.0" in slipped[1]
    assert "was below 2" in causes(cluster(), SLIPPED)[1]
    assert len(causes(cluster(log=None), SLIPPED)) == 1
