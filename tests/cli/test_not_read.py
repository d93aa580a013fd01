"""What was not read is listed, and what may be evidence is never called clean: files, lines, admin tables, archives."""

import io
import json
import re
import shutil
import struct
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

HEADERS = {
    "list": "TransactionalId\tCoordinator\tProducerId\tTransactionState\t",
    "describe": "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\tTransactionTimeoutMs\t",
    "describe-producers": "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\t"
    "CurrentTransactionStartOffset\t",
    "find-hanging": "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\t",
    "groups": "GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST",
}
HANGING = (
    "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\t\n"
    "accounts\t0\t424242\t0\t1\t7\t1795252401091\t90\t\n"
)
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR transaction offset partition"
HARMLESS = {
    "screen.png": PNG,
    "README.md": b"# The transactions of partition 3, by offset\n",
    "hello.txt": b"It was a dark night.\nNobody slept.\n",
    "empty.txt": b"",
    ".lock": b"",
    ".kafka_cleanshutdown": b'{"version":0,"brokerEpoch":17}',
    "00000000000000000000.index": bytes(16),
    "00000000000000000000.timeindex": bytes(24),
    "log4j.properties": b"log4j.logger.kafka.coordinator.transaction=TRACE\n",
}
MAY_MATTER = {
    "rpk.txt": b"TRANSACTION  PRODUCER  STATUS\npay-1  35001  Ongoing\n",
    "stats.json": b'{"eos":{"producer_id":7,"txn_state":"Begun"}}\n',
    "orders.bin": (0).to_bytes(8, "big") + (60).to_bytes(4, "big") + bytes(4) + b"\2" + bytes(60),
    "0-1-v1.log": struct.pack("<IiqbIhiqqqhii", 7, 99, 0, 1, 7, 16, 0, 0, 0, 35001, 0, 0, 1) + bytes(38),
    "dumps.txt.xz": b"\xfd7zXZ\0" + bytes(40),
}


@pytest.fixture(scope="session")
def healthy(lab: Path) -> Path:
    """The dumps of a cluster on which nothing hangs."""
    return lab / "dev" / "S5_fixed_1_before" / "dumps"


@pytest.fixture
def variant(healthy, tmp_path) -> Callable[[str], Path]:
    """Makes a copy of the healthy dumps by this name."""

    def copied(name: str) -> Path:
        return Path(shutil.copytree(healthy, tmp_path / "captures" / name))

    return copied


@pytest.fixture
def documents(command, tmp_path) -> Callable[[dict[str, Path]], dict[str, dict]]:
    """Judges captures in one run."""

    def judged(captures: dict[str, Path]) -> dict[str, dict]:
        outcome = command("run", "--each", "--format", "json", "--case", tmp_path / "each", *captures.values())
        return dict(zip(captures, map(json.loads, outcome.out.splitlines()), strict=True))

    return judged


def listed(document: dict) -> dict[str, str]:
    """Return why each file was not read, by path."""
    groups = document["coverage"].get("not_read") or []
    return {file["file"]: group["why"] for group in groups for file in group["listed"]}


def kinds(document: dict) -> set[str]:
    return {note["kind"] for note in document["coverage"]["notes"]}


def test_harmless_files_are_listed_and_clean(command, variant, tmp_path):
    folder = variant("harmless")
    for name, content in HARMLESS.items():
        (folder / name).write_bytes(content)
    outcome = command("run", folder, "--case", tmp_path / "case", "--format", "json")
    assert outcome.code == 0
    document = json.loads(outcome.out)
    assert set(listed(document)) == set(HARMLESS)
    assert not any(group["may_matter"] for group in document["coverage"]["not_read"])
    told = command("report", "--case", tmp_path / "case").out
    assert "FILES NOT READ" in told
    assert "screen.png" in told


STATE_OF = (
    "{id}::TransactionMetadata(transactionalId={id}, producerId=7, lastProducerId=-1, producerEpoch=0, "
    "lastProducerEpoch=-1, txnTimeoutMs=60000, state=Ongoing, pendingState=None, topicPartitions=Set(orders-0), "
    "txnStartTimestamp=1732180000000, txnLastUpdateTimestamp=1732180000000)\n"
)


def test_state_records_of_an_unknown_partition_are_told_and_never_clean(documents, variant):
    folder = variant("console")
    (folder / "console.txt").write_text("".join(STATE_OF.format(id=name) for name in ("pay-1", "pay-2")))
    document = documents({"console": folder})["console"]
    [told] = [note for note in document["coverage"]["notes"] if note["kind"] == "unplaced_dump"]
    assert told["note"] == "2 records of __transaction_state do not tell their partition and are not judged"
    assert told["file"] == "console.txt"
    assert document["verdict"] == "inconclusive"


def test_batches_of_an_unknown_partition_are_told_with_what_they_leave_open(lab, documents, tmp_path):
    [named] = (lab / "dev" / "late_write" / "dumps" / "broker-0" / "orders-0").glob("*.log.txt")
    [raw] = (lab / "dev" / "late_write" / "logdir" / "broker-0" / "orders-0").glob("*.log")
    folders = {name: tmp_path / name for name in ("named", "unnamed", "raw")}
    for folder in folders.values():
        folder.mkdir()
    shutil.copy(named, folders["named"] / "orders.txt")
    shutil.copy(raw, folders["raw"] / "hanging.log")
    lines = named.read_text().splitlines(keepends=True)
    (folders["unnamed"] / "paste.txt").write_text("".join(line for line in lines if not line.startswith("Dumping")))
    told = documents(folders)
    opens = [
        f"producer {one['producer_id']}, epoch {one['producer_epoch']}, from offset {one['first_offset']}"
        for one in told["named"]["open_transactions"]
    ]
    assert opens
    assert all("describe-producers, list, and describe" in one["fetch"] for one in told["named"]["open_transactions"])
    for name in ("unnamed", "raw"):
        [note] = [note for note in told[name]["coverage"]["notes"] if note["kind"] == "unplaced_dump"]
        assert note["note"].endswith("; by itself, it leaves open: " + ", ".join(opens))
        assert told[name]["verdict"] == "inconclusive"


def test_what_may_be_evidence_is_never_clean(command, documents, variant, tmp_path):
    folders = {name: variant(name) for name in MAY_MATTER}
    for name, folder in folders.items():
        (folder / name).write_bytes(MAY_MATTER[name])
    for name, document in documents(folders).items():
        assert document["verdict"] == "inconclusive", name
        assert set(listed(document)) == {name}
        assert "unknown_file" in kinds(document)
        assert document["coverage"]["not_read"][0]["may_matter"]
    outcome = command("run", folders["rpk.txt"], "--case", tmp_path / "one")
    assert outcome.code == 3
    assert "NO VERDICT: not read: rpk.txt" in outcome.out


def test_topics_of_kafka_whose_records_are_not_opened_are_named(documents, lab, tmp_path):
    broker = lab / "dev" / "S5_fixed_1_before" / "logdir" / "broker-0"
    for name in ("__share_group_state-3", "__remote_log_metadata-0"):
        shutil.copytree(broker / "accounts-0", tmp_path / "logs" / "broker-0" / name)
    (document,) = documents({"logs": tmp_path / "logs"}).values()
    told = [note["note"] for note in document["coverage"]["notes"] if note["kind"] == "unopened_topic"]
    assert len(told) == 2
    assert any(note.startswith("__share_group_state is read as a log") and "share groups" in note for note in told)


@pytest.mark.parametrize("number", [120])
def test_very_many_files_are_counted(command, variant, tmp_path, number):
    folder = variant("many")
    for at in range(number):
        (folder / f"{at:04}.csv").write_text(f"pay-{at};partition 3;offset {at}\n")
    outcome = command("run", folder, "--case", tmp_path / "case", "--format", "json")
    document = json.loads(outcome.out)
    (group,) = document["coverage"]["not_read"]
    assert (outcome.code, group["files"], len(group["listed"])) == (3, number, 100)
    assert len([note for note in document["coverage"]["notes"] if note["kind"] == "unknown_file"]) == 1


def test_torn_rows_of_tables_below_a_healthy_dump_are_told(documents, variant):
    folders = {name: variant(name) for name in HEADERS}
    for name, folder in folders.items():
        dump = min(folder.rglob("*.log.txt"))
        dump.write_text(f"{dump.read_text()}\n{HEADERS[name]}\naccounts\t0\n")
    for name, document in documents(folders).items():
        assert document["verdict"] == "inconclusive", name
        assert "unread_lines" in kinds(document)
        assert document["unparsed"]["files"][0]["text"] == "accounts\t0", name


def test_empty_tables_below_a_healthy_dump_say_that_there_is_none(documents, variant):
    folder = variant("empty tables")
    dump = min(folder.rglob("*.log.txt"))
    dump.write_text("\n".join([dump.read_text(), *HEADERS.values(), ""]))
    (document,) = documents({"empty tables": folder}).values()
    assert (document["verdict"], document["unparsed"]["lines"]) == ("clean", 0)


def test_words_and_commands_below_a_healthy_dump_are_not_held_against_it(documents, variant):
    folder = variant("words")
    dump = min(folder.rglob("*.log.txt"))
    dump.write_text(f"{dump.read_text()}\nThat is all.\n$ kubectl exec -n kafka pod -- ls /data\n")
    properties = next(folder.rglob("meta.properties"))
    properties.write_text(f"{properties.read_text()}disk.serial=17\n")
    (document,) = documents({"words": folder}).values()
    assert (document["verdict"], document["unparsed"]["lines"]) == ("clean", 3)


def test_a_partition_that_only_a_log_names_is_never_clean(documents, variant):
    folder = variant("named by a log")
    line = "ERROR Controller 1 epoch 47 failed to change state for partition payments-7 from OfflinePartition to OnlinePartition\n"
    (folder / "state-change.log").write_text(f"[2026-11-21 09:00:00,000] {line}")
    (document,) = documents({"named": folder}).values()
    (missing,) = (note for note in document["coverage"]["notes"] if note["kind"] == "missing_partition")
    assert (document["verdict"], missing["topic"], missing["partition"]) == ("inconclusive", "payments", 7)
    assert "state-change.log:1 names it" in missing["note"]


def test_a_hang_that_only_a_tool_tells_of_is_never_clean(documents, variant):
    folder = variant("asked")
    (folder / "find-hanging.txt").write_text(HANGING)
    (document,) = documents({"asked": folder}).values()
    (finding,) = document["findings"]
    assert (document["verdict"], finding["name"], finding["producer_id"]) == ("findings", "hanging_unexplained", 424242)
    assert [(one["file"], one["line"]) for one in finding["evidence"]] == [("find-hanging.txt", 2)]
    assert "unseen_claim" not in kinds(document)


CLAIMS = {
    "producers": (
        f"{HEADERS['describe-producers']}\n424242\t0\t1\t0\t1795252401091\t7\t\n",
        "paste.txt:2 says that producer 424242 has a transaction open in a partition that it does not name since off",
    ),
    "ids": (
        f"{HEADERS['list']}\nshop-1\t0\t424242\tOngoing\t\n",
        "paste.txt:2 says that the transaction of shop-1 (producer 424242) is Ongoing, and no file here",
    ),
    "unknown": (
        f"{HEADERS['list']}\nshop-1\t0\t424242\tUnknown\t\n",
        (
            "paste.txt:2 says that shop-1 (producer 424242) is Unknown, which tells neither that a transaction runs nor that "
            "it is over: ask with kafka-transactions.sh of the brokers' own release, and no file here"
        ),
    ),
    "fence": (
        f"{HEADERS['list']}\nshop-1\t0\t424242\tPrepareEpochFence\t\n",
        (
            "paste.txt:2 says that shop-1 (producer 424242) is PrepareEpochFence, which tells neither that a transaction runs "
            "nor that it is over, and no file here"
        ),
    ),
}


def test_a_state_without_a_word_is_none_where_another_answer_has_one(documents, variant):
    folder = variant("known")
    (folder / "paste.txt").write_text(f"{HEADERS['list']}\nshop-1\t0\t424242\tUnknown\t\nshop-1\t0\t424242\tEmpty\t\n")
    (document,) = documents({"known": folder}).values()
    assert "unseen_claim" not in kinds(document)


def test_what_an_answer_leaves_open_is_never_clean(documents, variant):
    """The answer names no partition, so no open transaction of the document stands for it."""
    folders = {name: variant(name) for name in CLAIMS}
    for name, folder in folders.items():
        (folder / "paste.txt").write_text(CLAIMS[name][0])
    for name, document in documents(folders).items():
        assert (document["verdict"], document["open_transactions"]) == ("inconclusive", []), name
        (note,) = [note for note in document["coverage"]["notes"] if note["kind"] == "unseen_claim"]
        assert note["note"].startswith(CLAIMS[name][1])


def test_a_transaction_that_the_log_shows_ended_is_not_held_against_it(documents, healthy, variant):
    """The tools were asked before its marker came."""
    ended = next(txn for dump in sorted(healthy.rglob("*.log.txt")) if (txn := first_transaction(dump)))
    topic, partition, producer, offset = ended
    row = f"{producer}\t0\t1\t0\t1795252401091\t{offset}\t\n"
    texts = {
        "named": HANGING.replace("accounts\t0\t424242", f"{topic}\t{partition}\t{producer}").replace(
            "\t7\t", f"\t{offset}\t"
        ),
        "unnamed": f"{CLAIMS['producers'][0].splitlines()[0]}\n{row}",
    }
    folders = {name: variant(name) for name in texts}
    for name, folder in folders.items():
        (folder / "paste.txt").write_text(texts[name])
    for name, document in documents(folders).items():
        assert (document["verdict"], document["findings"], document["open_transactions"]) == ("clean", [], []), name


def first_transaction(dump: Path) -> tuple[str, str, str, str] | None:
    """Return topic, partition, producer id and first offset of the first transaction of a dump of a data partition."""
    topic, _, partition = dump.parent.name.rpartition("-")
    found = re.search(
        r"^baseOffset: (\d+) .*producerId: (\d+) .*isTransactional: true isControl: false",
        dump.read_text(),
        re.MULTILINE,
    )
    return (topic, partition, found[2], found[1]) if found and not topic.startswith("__") else None


def test_partitions_that_tools_name_are_told(documents, variant):
    texts = {
        "topics": "Topic: carts\tTopicId: q6\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: \n"
        "\tTopic: carts\tPartition: 0\tLeader: 4\tReplicas: 4\tIsr: 4\n",
        "transactions": "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\t"
        "TransactionTimeoutMs\tCurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions\t\n"
        "0\tshop-1\t12\t4\tOngoing\t60000\t5\t6\tcarts-0,carts-1\t\n",
    }
    folders = {name: variant(name) for name in texts}
    for name, folder in folders.items():
        (folder / f"{name}.txt").write_text(texts[name])
    for name, document in documents(folders).items():
        assert document["verdict"] == "inconclusive", name
        said = [note for note in document["coverage"]["notes"] if note["kind"] == "missing_partition"]
        assert {partition for partition in ("carts-0", "carts-1") for note in said if partition in note["note"]} == {
            "carts-0", "carts-1"
        }  # fmt: skip
        assert all(f"{name}.txt" in note["note"] for note in said)
        assert name != "topics" or any("from broker 4" in note["fetch"] for note in said)


def test_an_archive_is_counted_once(command, healthy, tmp_path):
    packed = tmp_path / "capture.tar.gz"
    with tarfile.open(packed, "w:gz") as tar:
        tar.add(healthy, "dumps")
    counts = []
    for number, path in enumerate((healthy, packed)):
        document = json.loads(command("run", path, "--case", tmp_path / str(number), "--format", "json").out)
        counts.append((document["verdict"], document["coverage"]["files"], document["coverage"]["bytes"]))
    assert counts[0] == counts[1]


def test_an_archive_inside_an_archive_is_not_passed_over(command, healthy, tmp_path):
    inner = io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w") as tar:
        tar.add(healthy, "more")
    packed = tmp_path / "capture.tar"
    with tarfile.open(packed, "w") as tar:
        tar.add(healthy, "dumps")
        info = tarfile.TarInfo("inner.tar")
        info.size = len(inner.getvalue())
        inner.seek(0)
        tar.addfile(info, inner)
    outcome = command("run", packed, "--case", tmp_path / "case")
    assert outcome.code == 3
    assert "an archive inside an archive, not unpacked (inner.tar)" in outcome.out


def test_a_new_partition_holds_nothing(command, tmp_path):
    folder = tmp_path / "new" / "broker-1" / "orders-0"
    folder.mkdir(parents=True)
    (folder / "00000000000000000000.log").touch()
    outcome = command("run", tmp_path / "new", "--case", tmp_path / "case", "--format", "json")
    document = json.loads(outcome.out)
    (partition,) = document["partitions"]
    assert (partition["topic"], partition["lso"], partition["log_end_offset"]) == ("orders", 0, 0)
    assert (outcome.code, document["verdict"]) == (0, "clean")


def test_links_to_partition_folders(documents, lab, tmp_path):
    """A link out of the capture is followed, one that leads back is told, one to a folder that is here adds nothing."""
    source = lab / "dev" / "S5_fixed_1_before" / "logdir"
    whole = json.loads(json.dumps(documents({"whole": source})["whole"]))
    copy, disk = tmp_path / "captures" / "copy", tmp_path / "disk"
    shutil.copytree(source, copy)
    log = min(path.parent for path in copy.glob("*/*-*/*.log"))
    shutil.move(log, disk)
    log.symlink_to(disk)
    again = shutil.copytree(copy, tmp_path / "captures" / "again", symlinks=True)
    (Path(again) / "same").symlink_to(again)
    (Path(again) / "back").symlink_to(tmp_path / "captures")
    found = documents({"copy": copy, "again": Path(again)})
    for name in ("copy", "again"):
        assert found[name]["partitions"] == whole["partitions"], name
    assert found["copy"]["verdict"] == whole["verdict"]
    back = [note for note in found["again"]["coverage"]["notes"] if note["kind"] == "unread_file"]
    assert [(note["file"], note["note"]) for note in back] == [
        ("back", "cannot be read: a link to a folder above it, not followed")
    ]


@pytest.mark.parametrize("prefix", ["", "kafka-1  | ", "Mar 29 17:25:48 host kafka[12]: "])
def test_a_changed_count_in_a_brokers_log(documents, variant, prefix):
    said = "Transaction topic number of partitions has changed from 50 to 150"
    task = "'load-txns-for-partition-__transaction_state-3' (org.apache.kafka.server.util.KafkaScheduler)"
    lines = (
        f"[2026-03-29 17:25:48,808] ERROR Uncaught exception in scheduled task {task}",
        f"org.apache.kafka.common.KafkaException: {said}",
        "\tat kafka.coordinator.transaction.TransactionStateManager.load(TransactionStateManager.scala:700)",
    )
    folder = variant("broker")
    (folder / "server.log").write_text("".join(f"{prefix}{line}\n" for line in lines))
    (document,) = documents({"broker": folder}).values()
    (finding,) = [one for one in document["findings"] if one["name"] == "routing_cutover"]
    assert (finding["topic"], finding["confidence"]) == ("__transaction_state", "likely")
    assert "from 50 to 150" in finding["headline"]
    assert finding["evidence"][0]["file"] == "server.log"


ASKED = "$ kafka-topics.sh --bootstrap-server localhost:9092 --describe"


def test_no_topic_for_transactions(documents, lab, tmp_path):
    """Nobody ever used a transactional id on this cluster: what kafka-topics.sh and the controllers' log say of it."""
    scenario = lab / "dev" / "data_expansion"
    described = (scenario / "oracle" / "topics-describe.txt").read_text()
    quorum = lab / "metadata" / "4.1.1" / "dumps" / "broker-1" / "__cluster_metadata-0" / "00000000000000000000.log.txt"
    before = quorum.read_text().partition('"name":"__transaction_state"')[0].rpartition("\nbaseOffset: ")[0] + "\n"
    added = {
        "every topic": ("topics.txt", f"{ASKED}\n{described}"),
        "one topic": ("topics.txt", f"{ASKED} --topic user-events\n{described}"),
        "before it was created": ("broker-9/__cluster_metadata-0/00000000000000000000.log.txt", before),
        "after it was created": ("broker-9/__cluster_metadata-0/00000000000000000000.log.txt", quorum.read_text()),
    }
    folders = {}
    for name, (path, text) in added.items():
        folders[name] = Path(shutil.copytree(scenario / "dumps", tmp_path / "captures" / name.replace(" ", "-")))
        (folders[name] / path).parent.mkdir(parents=True, exist_ok=True)
        (folders[name] / path).write_text(text)
    for name, document in documents(folders).items():
        never = name in ("every topic", "before it was created")
        assert ("no_state_topic" in kinds(document)) is never, name
        assert bool({"missing_coordinator", "missing_state"} & kinds(document)) is not never, name
