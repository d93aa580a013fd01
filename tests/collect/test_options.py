"""What is taken on demand, from where, and how much; what of server.properties is copied; what admin tools add."""

import os
import subprocess
import time

import pytest
from collecting import SCRIPT, put
from typer.testing import CliRunner

from analyzer.cli.commands import app
from analyzer.scan.capture import scan_capture
from analyzer.scan.manifest import read_manifest
from analyzer.scan.request import CaptureRequest

PROPERTIES = """\
# transaction.max.timeout.ms=1
process.roles=broker
log.dirs = {dirs}
transaction.max.timeout.ms : 600000
transactional.id.expiration.ms=${{file:/secrets:s3cr3t-placeholder}}
producer.id.expiration.ms=3600000 s3cr3t-trailing
  replica.lag.time.max.ms 20000
replica.lag.time.max.ms=25000
transaction.partition.verification.enable=false
transaction.state.log.num.partitions=150
ssl.keystore.password=s3cr3t-password
listener.name.x.sasl.jaas.config=org.apache.Login required \\
  transaction.max.timeout.ms=770077 \\
  password="s3cr3t-jaas";
unclean.leader.election.enable=s3cr3t-not-a-boolean
"""


def segment(number: int) -> str:
    return f"{number:020d}.log"


def names(archive, suffix=".log") -> list[str]:
    return sorted(name.removeprefix("broker-3/") for name in archive.contents if name.endswith(suffix))


@pytest.fixture
def orders(log_dir):
    """Three topics with segments of half a megabyte each."""
    for partition in ["orders-0", "orders-1", "order-lines-0", "audit-0"]:
        for number in range(3):
            put(log_dir, f"{partition}/{segment(number * 100)}", bytes(500_000))
            put(log_dir, f"{partition}/{number * 100:020d}.index", b"not read")
    return log_dir


@pytest.fixture
def settings(tmp_path, log_dir):
    """A server.properties with secrets, which names two log dirs, one with a space in its name."""
    second = tmp_path / "second"
    put(second, "meta.properties", b"version=1\nbroker.id=3\n")
    put(second, "orders-7/leader-epoch-checkpoint", b"0\n0\n")
    put(log_dir, "orders-6/leader-epoch-checkpoint", b"0\n0\n")
    path = tmp_path / "server.properties"
    path.write_text(PROPERTIES.format(dirs=f"{log_dir} , {second}"))
    return path


@pytest.mark.parametrize(
    ("arguments", "partitions"),
    [
        ((), set()),
        (("--partition", "orders-1", "--partition", "audit-0"), {"orders-1", "audit-0"}),
        (("--topics", "order*"), {"orders-0", "orders-1", "order-lines-0"}),
        (("--topics", "orders", "--topics=audit"), {"orders-0", "orders-1", "audit-0"}),
        (("--all",), {"orders-0", "orders-1", "order-lines-0", "audit-0"}),
    ],
)
def test_segments_that_are_asked_for(collect, orders, arguments, partitions):
    archive = collect("--log-dir", orders, *arguments)
    assert {name.partition("/")[0] for name in names(archive)} == partitions
    assert names(archive, ".index") == []


def test_a_partition_that_is_not_there_is_told(collect, orders):
    assert "orders-9" in collect("--log-dir", orders, "--partition", "orders-9").lines("left-out")


def test_exactly_the_files_of_a_list(collect, orders, tmp_path):
    lines = [
        "# as the report prints them", "",
        f"broker-3/orders-0/{segment(100)}",
        f"capture.tar.gz/broker-3/orders-0/{segment(200)}\r",
        f"broker-33/orders-1/{segment(0)}",
        f"orders-1/{segment(100)}",
        str(orders / "audit-0" / segment(0)),
        f"audit-0/{segment(999)}",
    ]  # fmt: skip
    listed = "\n".join(lines).encode()
    archive = collect("--log-dir", orders, "--files", put(tmp_path, "list", listed))
    wanted = [
        f"audit-0/{segment(0)}",
        f"orders-0/{segment(100)}",
        f"orders-0/{segment(200)}",
        f"orders-1/{segment(100)}",
    ]
    ours = {"capture.toml", "broker-3/manifest.txt"}
    assert set(archive.contents) == {f"broker-3/{name}" for name in wanted} | ours
    assert list(archive.lines("left-out")) == [f"audit-0/{segment(999)}"]
    assert ["note", "1 paths of other brokers passed over"] in archive.manifest
    again = collect("--log-dir", orders, "--files", "-", input=listed.decode())
    assert set(again.contents) == set(archive.contents)


def test_the_limit_keeps_the_newest_segments(collect, orders):
    archive = collect("--log-dir", orders, "--partition", "orders-0", "--max-mb", "1")
    assert names(archive) == [f"orders-0/{segment(200)}"]  # with meta.properties, two do not fit
    assert archive.lines("left-out") == {
        f"broker-3/orders-0/{segment(number)}": ["--max-mb: 500000 bytes"] for number in (0, 100)
    }
    assert sum(int(fields[0]) for fields in archive.lines("file").values()) <= 1_000_000


def test_the_limit_makes_no_hole(collect, orders):
    put(orders, f"orders-0/{segment(100)}", bytes(900_000))
    put(orders, f"orders-0/{segment(0)}", b"small, but older than what does not fit")
    archive = collect("--log-dir", orders, "--partition", "orders-0", "--max-mb", "1")
    assert names(archive) == [f"orders-0/{segment(200)}"]


def test_sizes_are_told_before_anything_is_read(collect, orders):
    said = collect("--log-dir", orders, "--all").said
    assert said.index("segments asked for                    12 files        6.000 MB") < said.index("wrote ")


def test_no_secret_is_copied(collect, settings, tmp_path):
    put(tmp_path, "kafka/libs/kafka_2.13-3.9.1.jar")
    put(tmp_path, "kafka/libs/kafka_2.13-3.9.1-test.jar")
    archive = collect("--config", settings, "--kafka-home", tmp_path / "kafka")
    everything = b"".join(archive.contents.values())
    assert b"s3cr3t" not in everything
    assert b"770077" not in archive.contents["capture.toml"]
    put(tmp_path, "unpacked/capture.toml", archive.contents["capture.toml"])
    manifest = read_manifest(tmp_path / "unpacked")
    assert manifest.kafka_version == "3.9.1"
    assert manifest.timeouts == {"transaction_max_timeout_ms": 600000, "replica_lag_time_max_ms": 25000}
    assert manifest.partition_counts == {}  # a configured count is not that of the topic
    assert archive.lines("setting")["transaction.state.log.num.partitions"] == ["150"]
    assert archive.lines("setting")["transaction.partition.verification.enable"] == ["false"]
    assert "unclean.leader.election.enable" not in archive.lines("setting")


def test_several_log_dirs_are_one_broker(collect, settings):
    archive = collect("--config", settings)
    capture = scan_capture(CaptureRequest((str(archive.path),)))
    placed = {
        file["path"]: (file["folder_replica"], file["folder_topic"], file["folder_partition"]) for file in capture.files
    }
    assert placed["broker-3/logdir1/orders-6/leader-epoch-checkpoint"] == ("3", "orders", 6)
    assert placed["broker-3/logdir2/orders-7/leader-epoch-checkpoint"] == ("3", "orders", 7)
    assert placed["broker-3/logdir2/meta.properties"] == ("3", None, None)


@pytest.mark.parametrize(
    ("jar", "version"),
    [
        ("libs/kafka_2.13-4.1.1.jar", "4.1.1"),
        ("libs/kafka-clients-2.8.2.jar", "2.8.2"),
        ("libs/kafka_2.12-3.5.0.redhat-00014.jar", "3.5.0"),
        ("share/java/kafka/kafka_2.13-7.6.1-ccs.jar", "3.6"),
        ("share/java/kafka/kafka_2.12-6.2.0-ce.jar", "2.8"),
        ("share/java/kafka/kafka_2.13-8.0.0-ccs.jar", "4.0"),
        ("libs/kafka_2.13-snapshot.jar", None),
    ],
)
def test_versions_are_read_from_jars(collect, log_dir, tmp_path, jar, version):
    put(tmp_path, f"kafka/{jar}")
    archive = collect("--log-dir", log_dir, "--kafka-home", tmp_path / "kafka")
    put(tmp_path, "unpacked/capture.toml", archive.contents["capture.toml"])
    assert read_manifest(tmp_path / "unpacked").kafka_version == version


def test_the_running_broker_tells_its_configuration(collect, settings, tmp_path):
    arguments = ["java", "-cp", f"{tmp_path}/kafka/libs/kafka_2.13-3.7.2.jar:x.jar", "kafka.Kafka", str(settings)]
    more = ["--override", "transaction.max.timeout.ms=300000"]
    with subprocess.Popen(["sh", "-c", "sleep 100 & trap 'kill $!' TERM; wait", *arguments, *more]) as broker:
        try:
            time.sleep(0.3)
            archive = collect()
            other = put(tmp_path, "elsewhere/meta.properties", b"node.id=9\n").parent
            foreign = collect("--log-dir", other)
        finally:
            broker.terminate()
    text = archive.contents["capture.toml"].decode()
    assert 'kafka_version = "3.7.2"' in text
    assert "transaction_max_timeout_ms = 300000" in text
    assert "broker-3/logdir2/orders-7/leader-epoch-checkpoint" in archive.contents
    assert "kafka_version" not in foreign.contents["capture.toml"].decode()


def test_a_broker_that_is_down_is_as_of_its_newest_checkpoint(collect, log_dir):
    written = 1_700_000_000
    for name, at in [("replication-offset-checkpoint", written), ("recovery-point-offset-checkpoint", written - 50)]:
        os.utime(put(log_dir, name, b"0\n0\n"), (at, at))
    archive = collect("--log-dir", log_dir)
    assert archive.lines("captured_at").popitem()[0] == f"{written}000"
    assert "taken to be as of then" in archive.said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--log-dir", "{log_dir}", "-o", "{log_dir}/capture.tar.gz"), "would be inside the log dir"),
        (("--log-dir", "{log_dir}", "-o", "{log_dir}/meta.properties"), "would be inside the log dir"),
        (("--log-dir", "{log_dir}", "-o", "{settings}"), "exists"),
        (("--log-dir", "{log_dir}", "-o", "/nowhere/x.tar.gz"), "no folder for"),
        (("--log-dir", "/nowhere"), "cannot enter"),
        (("--log-dir", "{log_dir}", "--partition", "../x"), "wants TOPIC-N"),
        (("--log-dir", "{log_dir}", "--max-mb", "many"), "wants a number"),
        (("--log-dir", "{log_dir}", "--everything"), "unknown option"),
        (("--log-dir", "{log_dir}", "--log-dir", "{other}"), "log dirs of two brokers, 3 and 4"),
    ],
)
def test_what_it_refuses(collect, settings, log_dir, tmp_path, arguments, says):
    other = put(tmp_path, "other/meta.properties", b"broker.id=4\n").parent
    places = {"log_dir": log_dir, "settings": settings, "other": other}
    before = sorted(path.name for path in log_dir.iterdir())
    done = collect.run(*[argument.format(**places) for argument in arguments])
    assert done.returncode == 2
    assert says in done.stderr
    assert sorted(path.name for path in log_dir.iterdir()) == before


def tool(home, name, body) -> None:
    put(home, f"bin/{name}", f"#!/bin/sh\n{body}\n".encode()).chmod(0o755)


def test_what_the_admin_tools_say_and_that_one_failed(collect, lab, tmp_path):
    scenario = lab / "dev" / "snapshot_only"
    home = tmp_path / "kafka"
    tool(home, "kafka-topics.sh", f"cat {scenario}/oracle/topics-describe.txt")
    tool(home, "kafka-transactions.sh", 'echo "asked: $*"')
    tool(home, "kafka-consumer-groups.sh", "echo broken >&2; exit 3")
    oracle = lab / "metadata" / "4.1.1" / "oracle"
    tool(home, "kafka-configs.sh", f"cat {oracle}/configs-broker-default.txt")
    tool(home, "kafka-features.sh", f"cat {oracle}/features-describe.txt")
    tool(home, "kafka-metadata-quorum.sh", f"cat {oracle}/metadata-quorum-status.txt")
    environment = os.environ | {"BOOTSTRAP": "host:9092", "COMMAND_CONFIG": "/s3cr3t.properties"}
    archive = collect("--log-dir", scenario / "logdir" / "broker-0", "--kafka-home", home, env=environment)
    topics = archive.contents["broker-0/views/kafka-topics.txt"]
    assert topics.startswith(b"$ kafka-topics.sh --describe\n")
    asked = archive.contents["broker-0/views/describe-producers-purged-1.txt"].decode().splitlines()
    assert asked[0] == "$ kafka-transactions.sh describe-producers --topic purged --partition 1"
    assert asked[1].startswith(
        "asked: --bootstrap-server host:9092 --command-config /s3cr3t.properties describe-producers"
    )
    views = {name for name in archive.contents if "/views/describe-producers-" in name}
    assert {name.rpartition("-producers-")[2] for name in views} == {
        "purged-0.txt", "purged-1.txt", "purged-active-0.txt", "short-lived-0.txt", "short-lived-1.txt",
    }  # fmt: skip
    assert archive.lines("failed") == {"kafka-consumer-groups --describe --all-groups": ["exit 3"]}
    kinds = {file["path"]: file["file_kind"] for file in scan_capture(CaptureRequest((str(archive.path),))).files}
    views = ("kafka-topics", "kafka-configs", "kafka-features", "kafka-metadata-quorum")
    assert {kinds[f"broker-0/views/{name}.txt"] for name in views} == {"admin"}


SETTINGS_OF_A_BROKER = """\
All configs for broker 0 are:
  advertised.listeners=SASL_SSL://s3cr3t-host:9092 sensitive=false synonyms={STATIC_BROKER_CONFIG:advertised.listeners=SASL_SSL://s3cr3t-host:9092}
  authorizer.class.name= sensitive=false synonyms={DEFAULT_CONFIG:authorizer.class.name=}
  ssl.keystore.password=null sensitive=true synonyms={}
  super.users=User:s3cr3t sensitive=false synonyms={}
  transaction.max.timeout.ms=900000 sensitive=false synonyms={DEFAULT_CONFIG:transaction.max.timeout.ms=900000}
"""


def test_of_all_settings_of_a_broker_only_those_of_transactions_and_its_authorizer_are_kept(collect, lab, tmp_path):
    home = tmp_path / "kafka"
    tool(home, "kafka-configs.sh", f"case $* in *--all*) cat <<'X'\n{SETTINGS_OF_A_BROKER}X\n;; esac")
    environment = os.environ | {"BOOTSTRAP": "host:9092"}
    folder = lab / "dev" / "snapshot_only" / "logdir" / "broker-0"
    archive = collect("--log-dir", folder, "--kafka-home", home, env=environment)
    kept = archive.contents["broker-0/views/kafka-configs-broker.txt"].decode().splitlines()
    assert kept[0] == "$ kafka-configs.sh --describe --entity-type brokers --entity-name 0 --all"
    assert kept[1:] == [SETTINGS_OF_A_BROKER.splitlines()[at] for at in (0, 2, 5)]
    assert not any(b"s3cr3t" in content for content in archive.contents.values())


def test_the_command_prints_the_script():
    done = CliRunner().invoke(app, ["collect-script"])
    assert done.exit_code == 0
    assert done.stdout == SCRIPT.read_text()
