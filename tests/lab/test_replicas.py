"""Which replica is judged, and what is said where nobody knows who leads: a chaotic cluster of which replicas are missing."""

import random
import shutil
from pathlib import Path

import pytest
from judged_together import judged_together
from test_scenarios import brokers_offsets, brokers_opens

from analyzer.lifecycles.logs.authority import PASTED
from analyzer.report.triage.triage import triage

NAME, MOVED = "chaos_391", "S5r_reassigned_replica"
LEADER_GONE = {
    "by checkpoint": ("dev/S8_marker_lost", "broker-2/payments-0"),
    "by controllers": ("metadata/3.9.1", "broker-3/frail-0"),
}
"""Captures without the leader's copy of a partition, by what still tells that it exists."""
LEADS = (
    "[2026-11-21 09:35:18,512] INFO [Broker id={0}] Leader balances-0 with topic id Some(uq9sNQ0mQWqUOnM5Z0vtcA) starts at "
    "leader epoch {1} from offset 6 with partition epoch 8, high watermark 6, ISR [{0}], adding replicas [] and removing "
    "replicas [] . Previous leader Some(0) and previous leader epoch was 0. (state.change.logger)\n"
)
"""What a broker logs when it begins to lead."""
LOGGED = {"moved, logged": 2, "moved, logged before": 1}
"""Leader epochs of such lines; the copies know the second one."""
KEPT = 0.6
"""How likely a replica is kept."""
SHORT = ("S8_marker_lost", "payments", "leader-epoch-checkpoint")
"""A capture whose leader, by that file alone, has a newer epoch than the longer copy, which holds the markers."""
ENDS = frozenset({"abort", "save_then_abort"})


def some_replicas(source: Path, folder: Path, seed: int, *, told: bool) -> None:
    """Copy a capture without some of its replicas; `told`: with what kafka-topics.sh said of the leaders."""
    chance = random.Random(seed)
    for broker in sorted((source / "logdir").iterdir()):
        if broker.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(broker, folder / broker.name)
            continue
        (folder / broker.name).mkdir(parents=True)
        for one in sorted(broker.iterdir()):
            if one.is_file():
                shutil.copy(one, folder / broker.name / one.name)
            elif one.name.startswith("__transaction_state") or chance.random() < KEPT:
                shutil.copytree(one, folder / broker.name / one.name)
    if told:
        shutil.copy(source / "oracle" / "topics-describe.txt", folder / "topics.txt")


def without_epochs(lab: Path, place: Path) -> dict[str, Path]:
    """Return `SHORT` without the checkpoints of leader epochs, and with the longer copy's in their place."""
    scenario, topic, name = SHORT
    paths = {"short": place / "short", "short, follows": place / "follows"}
    for folder in paths.values():
        gone = shutil.ignore_patterns(name, "replication-offset-checkpoint")
        shutil.copytree(lab / "dev" / scenario / "logdir", folder, ignore=gone)
    for copy in sorted(paths["short, follows"].glob(f"broker-2/{topic}-*")):
        if (copy.parent.parent / "broker-1" / copy.name).is_dir():
            (copy / name).write_text("0\n1\n0 0\n")
    return paths


@judged_together
def documents(lab, soak, root) -> dict[str, Path]:
    paths = {"moved": lab / "dev" / MOVED / "logdir", "moved, told": root / "told"}
    shutil.copytree(paths["moved"], paths["moved, told"])
    shutil.copy(lab / "dev" / MOVED / "oracle" / "topics-describe.txt", paths["moved, told"] / "topics.txt")
    for name, epoch in LOGGED.items():
        paths[name] = root / f"logged-{epoch}"
        shutil.copytree(paths["moved"], paths[name])
        (paths[name] / "server.log").write_text(LEADS.format(0, epoch), "utf-8")
    for name, (source, log) in LEADER_GONE.items():
        paths[name] = root / name.replace(" ", "-")
        shutil.copytree(lab / source / "logdir", paths[name])
        shutil.rmtree(paths[name] / log)
    paths |= without_epochs(lab, root)
    for seed in range(10 if soak else 1):
        for told in (False, True):
            name = f"{seed}{', told' if told else ''}"
            paths[name] = root / f"some-{seed}-{told}"
            some_replicas(lab / "dev" / NAME, paths[name], seed, told=told)
    return paths


def of_chaos(documents):
    return {name: one for name, one in documents.items() if name[0].isdigit()}


def place_of(row):
    return f"{row['topic']}-{row['partition']}"


def is_stuck(document):
    return {f"{topic}-{partition}" for topic, partition in triage(document).stuck}


def test_the_lso_of_every_replica_is_the_brokers(documents, lab):
    offsets = brokers_offsets(lab / "dev" / NAME)
    for name, document in of_chaos(documents).items():
        rows = [row for row in document["partitions"] if place_of(row) in offsets]
        assert [row for row in rows if row["lso"] != offsets[place_of(row)]["lso"]] == [], name
        assert len(rows) > 30


def test_as_many_partitions_are_stuck_as_on_the_cluster(documents, lab):
    opened = {place for place, held in brokers_opens(lab / "dev" / NAME).items() if held}
    for name, document in of_chaos(documents).items():
        here = {place_of(row) for row in document["partitions"]}
        contested = {f"{topic}-{partition}" for topic, partition in triage(document).contested}
        assert is_stuck(document) <= opened, name
        assert (opened & here) - contested == is_stuck(document), name


def test_the_named_leader_is_judged_where_its_copy_is_here(documents, lab):
    for name, document in of_chaos(documents).items():
        named = [row for row in document["partitions"] if "kafka-topics.sh" in (row.get("led_by") or "")]
        assert bool(named) == ("told" in name)
        assert all(row["authority"] for row in named)
        leads = {place_of(row) for row in named}
        assert not [row for row in document["partitions"] if row.get("contested") and place_of(row) in leads]


def test_nothing_certain_is_said_of_what_replicas_dispute(documents):
    for document in documents.values():
        for row in document["open_transactions"]:
            if not row.get("disputed"):
                continue
            mine = [
                one
                for one in document["findings"]
                if all(one[part] == row[part] for part in ("topic", "partition", "producer_id", "first_offset"))
                and one["action"]["kind"] in ENDS
            ]
            assert [one for one in mine if one["confidence"] == "certain" and one["replica"] == row["replica"]] == []


@pytest.mark.parametrize(("before", "named"), [("", ", told"), (", logged before", ", logged")])
def test_a_replica_that_differs_from_the_leader_is_contested_until_the_leader_is_named(documents, before, named):
    unknown, told = documents[f"moved{before}"], documents[f"moved{named}"]
    (place,) = triage(unknown).contested
    claimants = [row for row in unknown["partitions"] if place_of(row) == "balances-0" and row.get("contested")]
    stuck_if = [row["replica"] for row in claimants if row["lso"] < row["log_end_offset"]]
    assert (place, stuck_if) == (("balances", 0), ["1"])
    assert "balances-0" not in is_stuck(unknown)
    (note,) = [one for one in unknown["coverage"]["notes"] if one["kind"] == "tied_replicas"]
    assert note["fetch"] == "kafka-topics.sh --describe --topic balances"
    (finding,) = [one for one in unknown["findings"] if one["code"] == "TXN007"]
    assert "It hangs if broker 1 leads" in finding["action"]["summary"]
    assert not triage(told).contested
    assert not is_stuck(told)
    assert not [one for one in told["coverage"]["notes"] if one["kind"] == "tied_replicas"]
    (finding,) = [one for one in told["findings"] if one["code"] == "TXN007"]
    assert "nothing hangs yet. It hangs once broker 1 leads" in finding["action"]["summary"]
    (by,) = {row["led_by"] for row in told["partitions"] if place_of(row) == "balances-0" and row.get("led_by")}
    assert by == ("a broker's log names it for the newest leader epoch here" if "logged" in named else PASTED)


def test_a_copy_that_ends_before_markers_may_lead_until_its_epochs_are_here(documents):
    unknown, follows = documents["short"], documents["short, follows"]
    assert unknown["verdict"] == "inconclusive"
    notes = [one for one in unknown["coverage"]["notes"] if one["kind"] == "tied_replicas"]
    assert {place_of(one): one["replica"] for one in notes} == {f"payments-{number}": "2" for number in range(3)}
    fetch = "leader-epoch-checkpoint of payments-0 on broker 2, or kafka-topics.sh --describe --topic payments"
    assert notes[0]["fetch"] == fetch
    assert not [one for one in follows["coverage"]["notes"] if one["kind"] == "tied_replicas"]
    assert follows["verdict"] == "clean"


@pytest.mark.parametrize("name", LEADER_GONE)
def test_nobody_is_taken_for_the_leader_whose_copy_is_not_here(documents, name):
    broker, _, place = LEADER_GONE[name][1].rpartition("broker-")[2].partition("/")
    rows = [row for row in documents[name]["partitions"] if place_of(row) == place]
    assert rows
    assert [row for row in rows if row.get("led_by")] == []
    (note,) = [one for one in documents[name]["coverage"]["notes"] if one["kind"] == "leader_not_here"]
    assert note["note"].startswith(f"{place} is judged by the copy of broker {note['replica']}, which need not lead: ")
    assert note["fetch"].endswith(f" the .log segments on broker {broker} of {place}")


def test_an_in_sync_copy_speaks_for_the_leader(documents):
    for name, document in of_chaos(documents).items():
        notes = [one for one in document["coverage"]["notes"] if one["kind"] == "leader_not_here"]
        assert bool(notes) == ("told" not in name), "kafka-topics.sh says of every replica that it is in sync"
        judged = {place_of(row): row["replica"] for row in document["partitions"] if row["authority"]}
        named = [(one["note"].partition(" ")[0].rstrip(","), one) for one in notes]
        assert all(judged[place] == one["replica"] for place, one in named)
