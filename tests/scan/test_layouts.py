"""The layouts in which people have brokers' files: each file belongs to the log, and to the broker, that it came from."""

from pathlib import Path

import pytest

from analyzer.errors import InputError
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

SEGMENT = "00000000000000000000.log"
BATCH = bytes(8) + b"\0\0\0\x31" + bytes(49)
HEX = "a3f1c07d5b2e4f6e9d8c7b6a59483726"


def put(root: Path, name: str, content: bytes = BATCH) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def log_dir(root: Path, folder: str, partitions: list[str], broker: int, cluster: str = "c1") -> None:
    """A log dir as a broker leaves it."""
    put(root, f"{folder}/meta.properties", f"#\nversion=1\ncluster.id={cluster}\nnode.id={broker}\n".encode())
    put(root, f"{folder}/replication-offset-checkpoint", b"0\n1\norders 0 7\n")
    for partition in partitions:
        put(root, f"{folder}/{partition}/{SEGMENT}")


def places(*paths: Path) -> set[tuple[str | None, str | None, int | None]]:
    """Replica, topic and partition of each segment."""
    files = scan_capture(CaptureRequest(tuple(map(str, paths)), "x")).files
    kinds = {"segment", "offsets_segment", "transaction_segment"}
    return {
        (file["folder_replica"], file["folder_topic"], file["folder_partition"])
        for file in files
        if file["file_kind"] in kinds
    }


def replicas(*paths: Path) -> set[str | None]:
    """The replicas of all that belongs to a broker."""
    files = scan_capture(CaptureRequest(tuple(map(str, paths)), "x")).files
    return {file["folder_replica"] for file in files if file["file_kind"] in {"segment", "checkpoint", "metadata"}}


@pytest.mark.parametrize(
    "folder",
    [
        "var/lib/kafka/data",  # Confluent's packages and images
        "bitnami/kafka/data",
        "my-cluster-kafka-0/var/lib/kafka/data-0/kafka-log0",  # kubectl cp from Strimzi
        "data-0/kafka-log0",
        "kafka-logs",
        "INC-4711/copy",
        ".",
    ],
)
def test_a_log_dir_belongs_to_the_broker_of_its_meta_properties(tmp_path, folder):
    log_dir(tmp_path, folder, ["orders-0", "__consumer_offsets-7"], 3)
    assert places(tmp_path) == {("3", "orders", 0), ("3", "__consumer_offsets", 7)}
    assert replicas(tmp_path) == {"3"}


def test_a_folder_that_names_the_broker_wins(tmp_path):
    log_dir(tmp_path, "broker-2", ["orders-0"], 3)
    assert replicas(tmp_path) == {"2"}


def test_several_log_dirs_of_one_broker(tmp_path):
    log_dir(tmp_path, "disk1/data", ["orders-0"], 1)
    log_dir(tmp_path, "disk2/data", ["orders-1"], 1)
    assert places(tmp_path) == {("1", "orders", 0), ("1", "orders", 1)}
    assert replicas(tmp_path) == {"1"}


def test_copies_of_two_moments_stay_apart(tmp_path):
    log_dir(tmp_path / "moments", "before", ["orders-0"], 1)
    log_dir(tmp_path / "moments", "after", ["orders-0"], 1)
    assert places(tmp_path / "moments") == {("before", "orders", 0), ("after", "orders", 0)}
    assert replicas(tmp_path / "moments") == {"before", "after"}


@pytest.mark.parametrize("folder", ["kafka-logs", "INC-4711/copy", "host-a/var/lib/kafka/data"])
def test_checkpoints_belong_to_the_log_dir_they_lie_in_whatever_it_is_called(tmp_path, folder):
    """Else they would be those of a broker whose logs are not here, and no verdict could be given."""
    log_dir(tmp_path, folder, ["orders-0", "orders-1"], 1)
    (tmp_path / folder / "meta.properties").unlink()
    assert replicas(tmp_path) == {folder}


def test_checkpoints_beside_a_log_dir_are_not_of_it(tmp_path):
    log_dir(tmp_path, "logs", ["orders-0"], 1)
    (tmp_path / "logs" / "meta.properties").unlink()
    put(tmp_path, "elsewhere/replication-offset-checkpoint", b"0\n1\norders 0 7\n")
    assert replicas(tmp_path) == {"logs", None}


@pytest.mark.parametrize("west", ["west", "west/broker-1", "west/kafka-2"])
def test_log_dirs_of_two_clusters_are_not_judged_together(tmp_path, west):
    """Else a marker of one would end the transaction of the other's partition of the same name."""
    log_dir(tmp_path, "east/broker-1", ["orders-0"], 1, "c1")
    log_dir(tmp_path, west, ["orders-0"], 2 if west.endswith("2") else 1, "c2")
    with pytest.raises(InputError) as refused:
        scan_capture(CaptureRequest((str(tmp_path),), "x"))
    assert refused.value.found == (
        f"these are files of 2 clusters, by their meta.properties: c1 (east/broker-1), c2 ({west})."
    )
    assert "--each" in refused.value.do
    assert replicas(tmp_path / "east") == {"1"}


def test_the_log_dumps_of_strimzi(tmp_path):
    text = b"Dumping /var/lib/kafka/data-0/kafka-log2/orders-1/00000000000000000000.log\nStarting offset: 0\n"
    put(tmp_path, f"orders/kafka-2-disk-0-orders-1/{SEGMENT}", text)
    put(tmp_path, f"orders/kafka-3-orders-1/{SEGMENT}", text)
    files = scan_capture(CaptureRequest((str(tmp_path),), "x")).files
    assert {(file["file_kind"], file["folder_replica"], file["folder_partition"]) for file in files} == {
        ("dump", "2", 1),
        ("dump", "3", 1),
    }


@pytest.mark.parametrize("what", ["future", "delete", "stray"])
def test_a_folder_that_is_set_aside_is_no_replica(tmp_path, what):
    log_dir(tmp_path, "data-0", ["orders-0"], 1)
    put(tmp_path, f"data-0/orders-0.{HEX}-{what}/{SEGMENT}")
    assert places(tmp_path) == {("1", "orders", 0)}
    files = scan_capture(CaptureRequest((str(tmp_path),), "x")).files
    aside = [file for file in files if file["file_kind"] == "set_aside"]
    assert [(file["file_id"], file["problem"], file["folder_topic"]) for file in aside] == [(None, None, None)]


def test_a_controller_without_data_beside_a_broker(tmp_path):
    log_dir(tmp_path, "broker-1", ["orders-0"], 1)
    put(tmp_path, "controller/meta.properties", b"version=1\nnode.id=100\n")
    put(tmp_path, f"controller/__cluster_metadata-0/{SEGMENT}")
    assert places(tmp_path) == {("1", "orders", 0)}


def test_folders_above_that_look_like_partitions(tmp_path):
    folder = tmp_path / "INC-4711"
    log_dir(folder, "broker-1", ["orders-0"], 1)
    put(folder, "capture.toml", b"captured_at = 1795252670874\n")
    put(folder, "broker-1/views/kafka-topics.txt", b"Topic: orders\tPartitionCount: 1\tReplicationFactor: 1\n")
    files = scan_capture(CaptureRequest((str(folder), str(folder / "broker-1")), "x")).files
    assert {file["folder_topic"] for file in files} == {None, "orders"}
