"""Files of two clusters in one capture: what of one judges what of the other is never certain, and ends nothing."""

import json

import pytest
from judged_together import judged_together
from test_several_answers import ABORTED, LATE, coordinator, copied, leader

ONE, OTHER = "fnk10_WA6jeiHPg9EMdjeA", "ohdfG9S4uCOo9Tzpo3dJew"
CLIENT = "[2026-01-01 10:00:00,560] INFO [Producer clientId={}] Cluster ID: {} (org.apache.kafka.clients.Metadata)\n"
STATES = coordinator("Ongoing", 30_000) + coordinator("Empty", epoch=1)
HANGS = STATES + leader(0, 18)


def properties(cluster):
    return f"version=1\ncluster.id={cluster}\nnode.id=0\n"


def apart(states_of):
    """The log in a folder of one cluster, its coordinator's in a paste that names one."""
    files = copied(LATE, ABORTED)
    told = {"log/meta.properties": properties(ONE), "capture.toml": files.pop("capture.toml")}
    for path, text in files.items():
        told |= {"paste.txt": f"Cluster ID: {states_of}\n{text}"} if "__tran" in path else {f"log/{path}": text}
    return told


CAPTURES = {
    "a log dir and a paste": apart(OTHER),
    "both of one": apart(ONE),
    "a paste": {"paste.txt": f"Cluster ID: {ONE}\n{STATES}$ kafka-cluster.sh cluster-id\nCluster ID: {OTHER}\n{leader(0, 18)}"},
    "a paste of one": {"paste.txt": f"Cluster ID: {ONE}\n{HANGS}"},
    "a client of two": {"mirror.log": CLIENT.format("source", ONE) + CLIENT.format("target", OTHER), "paste.txt": HANGS},
}  # fmt: skip


@judged_together
def told():
    return CAPTURES


def notes(document):
    return [one for one in document["coverage"]["notes"] if one["kind"] == "two_clusters"]


@pytest.mark.parametrize(("name", "code"), [("a log dir and a paste", "TXN002"), ("a paste", "TXN013")])
def test_what_is_proven_across_clusters_is_possible_and_ends_nothing(told, name, code):
    document = told[name]
    [finding] = document["findings"]
    assert (finding["code"], finding["confidence"], finding["action"]["kind"]) == (code, "possible", "fetch")
    assert not any(one["answer"] in ("certain", "likely", "yes") for one in finding["certainty"])
    assert " abort " not in json.dumps(finding["action"]["steps"])
    [note] = notes(document)
    assert ONE in note["note"]
    assert OTHER in note["note"]
    assert document["capture"]["cluster_ids"] == sorted([ONE, OTHER])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("both of one", ("TXN002", "certain")),
        ("a paste of one", ("TXN013", "likely")),
        ("a client of two", ("TXN013", "likely")),
    ],
)
def test_one_cluster_is_judged_as_ever(told, name, expected):
    [finding] = told[name]["findings"]
    assert (finding["code"], finding["confidence"]) == expected
    assert finding["action"]["kind"] != "fetch"
    assert not notes(told[name])
