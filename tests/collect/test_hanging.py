"""What collect.sh asks a broker is enough for a verdict: what hangs, who was there to ask, and that nobody hides ids."""

import os
import sys
from pathlib import Path

import pytest
from collecting import Collect, put
from test_options import tool

sys.path.insert(0, str(Path(__file__).parent.parent / "detectors"))

from judged_captures import documents_of

TOPICS = """\
Topic: __transaction_state	TopicId: j_v6dRRzQoeBbSZw3T2xfQ	PartitionCount: 2	ReplicationFactor: 1	Configs:
	Topic: __transaction_state	Partition: 0	Leader: 3	Replicas: 3	Isr: 3
	Topic: __transaction_state	Partition: 1	Leader: {leader}	Replicas: 1	Isr: 1
Topic: quotes	TopicId: RCDHQ1aqQhmcFJfg_6X68Q	PartitionCount: 1	ReplicationFactor: 1	Configs:
	Topic: quotes	Partition: 0	Leader: 3	Replicas: 3	Isr: 3
"""
HANGING = """\
Topic 	Partition	ProducerId	ProducerEpoch	CoordinatorEpoch	StartOffset	LastTimestamp	Duration(min)
quotes	0        	1         	0            	-1              	0          	{last_ms}	200
"""
SETTINGS = """\
All configs for broker 3 are:
  authorizer.class.name={name} sensitive=false synonyms={{DEFAULT_CONFIG:authorizer.class.name=}}
"""
GUARD = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
CLUSTERS = {
    "every coordinator": (TOPICS.format(leader=1), SETTINGS.format(name="")),
    "guarded": (TOPICS.format(leader=1), SETTINGS.format(name=GUARD)),
    "no settings": (TOPICS.format(leader=1), ""),
    "a coordinator is down": (TOPICS.format(leader="none"), SETTINGS.format(name="")),
}


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    root = tmp_path_factory.mktemp("hanging")
    log_dir = put(root, "data/meta.properties", b"version=1\nnode.id=3\n").parent
    captures = {}
    for name, (topics, settings) in CLUSTERS.items():
        home = root / name
        last_ms = "$(( ($(date +%s) - 12000) * 1000 ))"
        tool(home, "kafka-topics.sh", f"cat <<'X'\n{topics}X")
        tool(
            home,
            "kafka-transactions.sh",
            f"case $* in *find-hanging*) cat <<X\n{HANGING.format(last_ms=last_ms)}X\n;; esac",
        )
        tool(home, "kafka-configs.sh", f"case $* in *--all*) cat <<'X'\n{settings}X\n;; esac")
        collect = Collect(("sh",), put(root, f"archives/{name}/x").parent)
        archive = collect("--log-dir", log_dir, "--kafka-home", home, env=os.environ | {"BOOTSTRAP": "host:9092"})
        captures[name] = {path: content.decode() for path, content in archive.contents.items()}
    return documents_of(spark, tmp_path_factory.mktemp("judged"), captures)


def test_what_hangs_is_certain_where_no_coordinator_was_left_out(documents):
    (finding,) = [one for one in documents["every coordinator"]["findings"] if one["code"] == "TXN013"]
    assert finding["confidence"] == "certain"


@pytest.mark.parametrize("name", ["guarded", "no settings"])
def test_it_is_likely_where_one_may_be(documents, name):
    (finding,) = [one for one in documents[name]["findings"] if one["code"] == "TXN013"]
    assert finding["confidence"] == "likely"


def test_it_is_undecided_where_one_was(documents):
    (row,) = documents["a coordinator is down"]["open_transactions"]
    assert row["verdict"] == "undecided"
