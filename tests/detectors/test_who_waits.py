"""What waits beside the groups that are listed: told where a setting shows it, and where it cannot be ruled out."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_causes import LOG, cluster, setting

from analyzer.detectors.beside.who_waits import also_waits

SHARE = setting("share.isolation.level", "read_committed", kind="group", whose="parcels")


def tiered(value, topic="orders"):
    return setting("remote.storage.enable", value, kind="topic", whose=topic)


def test_a_hang_fills_the_local_disk_of_a_topic_with_tiered_storage():
    (told,) = also_waits(cluster(tiered("true"), version="3.9.1"), "orders")
    assert told.startswith("the local disk: orders has tiered storage")
    assert also_waits(cluster(tiered("false"), version="3.9.1"), "orders") == []
    assert also_waits(cluster(tiered("true", "clicks"), version="3.9.1"), "orders") == []


def test_a_share_group_that_reads_committed_data_waits():
    (told,) = also_waits(cluster(SHARE, version="4.2.0"), "orders")
    assert told.endswith(": parcels")


@pytest.mark.parametrize(
    ("version", "log", "hidden"),
    [("4.2.0", None, True), ("4.2.0", LOG | {"complete": False}, True), ("4.2.0", LOG, False), ("4.0.1", None, False),
     (None, None, False)],
)  # fmt: skip
def test_a_share_group_may_be_hidden_where_the_controllers_log_is_not_here(version, log, hidden):
    assert bool(also_waits(cluster(version=version, log=log), "orders")) == hidden
