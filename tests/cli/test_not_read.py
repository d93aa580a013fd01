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
from judged_together import judged_together

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
    "replication-offset-checkpoint.tmp": b"0\n1\n__transaction_state 0 3\n",
    "log4j.properties": b"log4j.logger.kafka.coordinator.transaction=TRACE\n",
}
MAY_MATTER = {
    "paste.tmp": b"TRANSACTION  PRODUCER  STATUS\npay-1  35001  Ongoing\n",
    "rpk.txt": b"TRANSACTION  PRODUCER  STATUS\npay-1  35001  Ongoing\n",
    "stats.json": b'{"eos":{"producer_id":7,"txn_state":"Begun"}}\n',
    "orders.bin": (0).to_bytes(8, "big") + (60).to_bytes(4, "big") + bytes(4) + b"\2" + bytes(60),
    "0-1-v1.log": struct.pack("<IiqbIhiqqqhii", 7, 99, 0, 1, 7, 16, 0, 0, 0, 35001, 0, 0, 1) + bytes(38),
    "dumps.txt.7z": b"7z\xbc\xaf\x27\x1c" + bytes(40),
}


HEALTHY = "dev/S5_fixed_1_before"
"""A cluster on which nothing hangs."""


@pytest.fixture(scope="session")
def healthy(lab: Path) -> Path:
    return lab / HEALTHY / "dumps"


@pytest.fixture
def variant(healthy, tmp_path) -> Callable[[str], Path]:
    """Makes a copy of the healthy dumps by this name."""

    def copied(name: str) -> Path:
        return Path(shutil.copytree(healthy, tmp_path / "captures" / name))

    return copied


@judged_together
def documents(lab, root) -> dict[str, Path]:
    """The healthy dumps with something added, by what it is; and other folders."""
    whole = lab / HEALTHY / "dumps"
    captures = {}

    def added(name: str, path: str, content: str | bytes) -> None:
        captures[name] = Path(shutil.copytree(whole, root / name))
        (captures[name] / path).write_bytes(content if isinstance(content, bytes) else content.encode())

    def below(name: str, text: str) -> None:
        """Added to what one of the dumps has."""
        dump = min(whole.rglob("*.log.txt"))
        added(name, str(dump.relative_to(whole)), f"{dump.read_text()}\n{text}")

    added("states", "console.txt", "".join(STATE_OF.format(id=name) for name in ("pay-1", "pay-2")))
    for name, content in MAY_MATTER.items():
        added(name, name, content)
    for name, header in HEADERS.items():
        below(f"torn {name}", f"{header}\naccounts\t0\n")
    below("empty tables", "\n".join([*HEADERS.values(), ""]))
    below("words", "That is all.\n$ kubectl exec -n kafka pod -- ls /data\n")
    properties = next(captures["words"].rglob("meta.properties"))
    properties.write_text(f"{properties.read_text()}disk.serial=17\n")
    added("named by a log", "state-change.log", f"[2026-11-21 09:00:00,000] {OFFLINE}")
    added("asked", "find-hanging.txt", HANGING)
    added("asked on a page", "saved.html", f"<html><body><p>We asked:</p><pre>{HANGING}</pre></body></html>")
    known = f"{HEADERS['list']}\nshop-1\t0\t424242\tUnknown\t\nshop-1\t0\t424242\tEmpty\t\n"
    added("known", "paste.txt", known)
    for name, (text, _) in CLAIMS.items():
        added(f"claim of {name}", "paste.txt", text)
    for name, text in ended_transaction(whole).items():
        added(f"ended, {name}", "paste.txt", text)
    for name, text in TOLD_BY_TOOLS.items():
        added(f"told by {name}", f"{name}.txt", text)
    for number, prefix in enumerate(PREFIXES):
        added(f"count {number}", "server.log", "".join(f"{prefix}{line}\n" for line in COUNT_CHANGED))
    captures["unopened"] = root / "unopened"
    for name in ("__share_group_state-3", "__remote_log_metadata-0"):
        shutil.copytree(lab / HEALTHY / "logdir" / "broker-0" / "accounts-0", root / "unopened" / "broker-0" / name)
    captures |= in_no_partition(lab / "dev" / "late_write", root)
    return captures | linked(lab / HEALTHY / "logdir", root / "linked") | never_used(lab, root / "never used")


def in_no_partition(scenario: Path, root: Path) -> dict[str, Path]:
    """Return a dump of a log that hangs, the same without the line that names its partition, and its only segment."""
    [dump] = (scenario / "dumps" / "broker-0" / "orders-0").glob("*.log.txt")
    [segment] = (scenario / "logdir" / "broker-0" / "orders-0").glob("*.log")
    unnamed = "".join(line for line in dump.read_text().splitlines(keepends=True) if not line.startswith("Dumping"))
    captures = {
        "orders-0": ("dump.txt", dump.read_bytes()),
        "orders-0 in no folder": ("hanging.log", segment.read_bytes()),
        "orders-0 without its first line": ("paste.txt", unnamed.encode()),
    }
    for name, (file, content) in captures.items():
        (root / name).mkdir()
        (root / name / file).write_bytes(content)
    return {name: root / name for name in captures}


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


def test_state_records_of_an_unknown_partition_are_told_and_never_clean(documents):
    document = documents["states"]
    [told] = [note for note in document["coverage"]["notes"] if note["kind"] == "unplaced_dump"]
    assert told["note"] == (
        "2 records of __transaction_state do not tell their partition and are not judged; the last one here of pay-1 "
        "says Ongoing of orders-0, of pay-2 says Ongoing of orders-0"
    )
    assert told["file"] == "console.txt"
    assert document["verdict"] == "inconclusive"


def test_batches_of_an_unknown_partition_are_told_with_what_they_leave_open(documents):
    named = documents["orders-0"]["open_transactions"]
    opens = [
        f"producer {one['producer_id']}, epoch {one['producer_epoch']}, from offset {one['first_offset']}"
        for one in named
    ]
    assert opens
    assert all("describe-producers, list, and describe" in one["fetch"] for one in named)
    for name in ("orders-0 in no folder", "orders-0 without its first line"):
        [note] = [note for note in documents[name]["coverage"]["notes"] if note["kind"] == "unplaced_dump"]
        assert note["note"].endswith("; by itself, it leaves open: " + ", ".join(opens))
        assert documents[name]["verdict"] == "inconclusive"


@pytest.mark.parametrize("name", MAY_MATTER)
def test_what_may_be_evidence_is_never_clean(documents, name):
    document = documents[name]
    assert document["verdict"] == "inconclusive"
    assert set(listed(document)) == {name}
    assert "unknown_file" in kinds(document)
    assert document["coverage"]["not_read"][0]["may_matter"]


def test_a_run_says_what_was_not_read(command, variant, tmp_path):
    folder = variant("one")
    (folder / "rpk.txt").write_bytes(MAY_MATTER["rpk.txt"])
    outcome = command("run", folder, "--case", tmp_path / "one")
    assert outcome.code == 3
    assert "NO VERDICT: not read: rpk.txt" in outcome.out


def test_topics_of_kafka_whose_records_are_not_opened_are_named(documents):
    told = [note["note"] for note in documents["unopened"]["coverage"]["notes"] if note["kind"] == "unopened_topic"]
    assert len(told) == 2
    assert any(note.startswith("__share_group_state is read as a log") and "share groups" in note for note in told)


def test_whose_lines_are_counted_is_told(documents):
    """A page is read as the lines that it shows: nobody finds line 3 of a file that has one line."""
    told = {name: {one["file"] for one in documents[name]["coverage"]["notes"] if one["kind"] == "shown_lines"}
            for name in ("asked", "asked on a page")}  # fmt: skip
    assert told == {"asked": set(), "asked on a page": {"saved.html"}}


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


@pytest.mark.parametrize("name", HEADERS)
def test_torn_rows_of_tables_below_a_healthy_dump_are_told(documents, name):
    document = documents[f"torn {name}"]
    assert document["verdict"] == "inconclusive"
    assert "unread_lines" in kinds(document)
    assert document["unparsed"]["files"][0]["text"] == "accounts\t0"


def test_empty_tables_below_a_healthy_dump_say_that_there_is_none(documents):
    document = documents["empty tables"]
    assert (document["verdict"], document["unparsed"]["lines"]) == ("clean", 0)


def test_words_and_commands_below_a_healthy_dump_are_not_held_against_it(documents):
    document = documents["words"]
    assert (document["verdict"], document["unparsed"]["lines"]) == ("clean", 3)


OFFLINE = "ERROR Controller 1 epoch 47 failed to change state for partition payments-7 from OfflinePartition to OnlinePartition\n"


def test_a_partition_that_only_a_log_names_is_never_clean(documents):
    document = documents["named by a log"]
    (missing,) = (note for note in document["coverage"]["notes"] if note["kind"] == "missing_partition")
    assert (document["verdict"], missing["topic"], missing["partition"]) == ("inconclusive", "payments", 7)
    assert "state-change.log:1 names it" in missing["note"]


def test_a_hang_that_only_a_tool_tells_of_is_never_clean(documents):
    document = documents["asked"]
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


def test_a_state_without_a_word_is_none_where_another_answer_has_one(documents):
    assert "unseen_claim" not in kinds(documents["known"])


@pytest.mark.parametrize("name", CLAIMS)
def test_what_an_answer_leaves_open_is_never_clean(documents, name):
    """The answer names no partition, so no open transaction of the document stands for it."""
    document = documents[f"claim of {name}"]
    assert (document["verdict"], document["open_transactions"]) == ("inconclusive", [])
    (note,) = [note for note in document["coverage"]["notes"] if note["kind"] == "unseen_claim"]
    assert note["note"].startswith(CLAIMS[name][1])


def ended_transaction(healthy: Path) -> dict[str, str]:
    """Answers with a transaction as open that the log shows ended: the tools were asked before its marker came."""
    ended = next(txn for dump in sorted(healthy.rglob("*.log.txt")) if (txn := first_transaction(dump)))
    topic, partition, producer, offset = ended
    row = f"{producer}\t0\t1\t0\t1795252401091\t{offset}\t\n"
    return {
        "named": HANGING.replace("accounts\t0\t424242", f"{topic}\t{partition}\t{producer}").replace(
            "\t7\t", f"\t{offset}\t"
        ),
        "unnamed": f"{CLAIMS['producers'][0].splitlines()[0]}\n{row}",
    }


@pytest.mark.parametrize("name", ["named", "unnamed"])
def test_a_transaction_that_the_log_shows_ended_is_not_held_against_it(documents, name):
    document = documents[f"ended, {name}"]
    assert (document["verdict"], document["findings"], document["open_transactions"]) == ("clean", [], [])


def first_transaction(dump: Path) -> tuple[str, str, str, str] | None:
    """Return topic, partition, producer id and first offset of the first transaction of a dump of a data partition."""
    topic, _, partition = dump.parent.name.rpartition("-")
    found = re.search(
        r"^baseOffset: (\d+) .*producerId: (\d+) .*isTransactional: true isControl: false",
        dump.read_text(),
        re.MULTILINE,
    )
    return (topic, partition, found[2], found[1]) if found and not topic.startswith("__") else None


TOLD_BY_TOOLS = {
    "topics": "Topic: carts\tTopicId: q6\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: \n"
    "\tTopic: carts\tPartition: 0\tLeader: 4\tReplicas: 4\tIsr: 4\n",
    "transactions": "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\t"
    "TransactionTimeoutMs\tCurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions\t\n"
    "0\tshop-1\t12\t4\tOngoing\t60000\t5\t6\tcarts-0,carts-1\t\n",
}


@pytest.mark.parametrize("name", TOLD_BY_TOOLS)
def test_partitions_that_tools_name_are_told(documents, name):
    document = documents[f"told by {name}"]
    assert document["verdict"] == "inconclusive"
    said = [note for note in document["coverage"]["notes"] if note["kind"] == "missing_partition"]
    carts = {"carts-0", "carts-1"}
    assert {partition for partition in carts for note in said if partition in note["note"]} == carts
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


def linked(source: Path, root: Path) -> dict[str, Path]:
    """A log dir; with a link out of the capture; and with that, one that leads back, and one to a folder that is here."""
    copy = root / "copy"
    shutil.copytree(source, copy)
    log = min(path.parent for path in copy.glob("*/*-*/*.log"))
    shutil.move(log, root / "disk")
    log.symlink_to(root / "disk")
    again = Path(shutil.copytree(copy, root / "again", symlinks=True))
    (again / "same").symlink_to(again)
    (again / "back").symlink_to(root)
    return {"not linked": source, "linked": copy, "linked again": again}


def test_links_to_partition_folders(documents):
    """A link out of the capture is followed, one that leads back is told, one to a folder that is here adds nothing."""
    whole = documents["not linked"]
    for name in ("linked", "linked again"):
        assert documents[name]["partitions"] == whole["partitions"], name
    assert documents["linked"]["verdict"] == whole["verdict"]
    back = [note for note in documents["linked again"]["coverage"]["notes"] if note["kind"] == "unread_file"]
    assert [(note["file"], note["note"]) for note in back] == [
        ("back", "cannot be read: a link to a folder above it, not followed")
    ]


PREFIXES = ("", "kafka-1  | ", "Mar 29 17:25:48 host kafka[12]: ")
COUNT_CHANGED = (
    (
        "[2026-03-29 17:25:48,808] ERROR Uncaught exception in scheduled task "
        "'load-txns-for-partition-__transaction_state-3' (org.apache.kafka.server.util.KafkaScheduler)"
    ),
    "org.apache.kafka.common.KafkaException: Transaction topic number of partitions has changed from 50 to 150",
    "\tat kafka.coordinator.transaction.TransactionStateManager.load(TransactionStateManager.scala:700)",
)


@pytest.mark.parametrize("number", range(len(PREFIXES)))
def test_a_changed_count_in_a_brokers_log(documents, number):
    (finding,) = [one for one in documents[f"count {number}"]["findings"] if one["name"] == "routing_cutover"]
    assert (finding["topic"], finding["confidence"]) == ("__transaction_state", "likely")
    assert "from 50 to 150" in finding["headline"]
    assert finding["evidence"][0]["file"] == "server.log"


ASKED = "$ kafka-topics.sh --bootstrap-server localhost:9092 --describe"


def never_used(lab: Path, root: Path) -> dict[str, Path]:
    """What kafka-topics.sh and the controllers' log say of a cluster on which nobody ever used a transactional id."""
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
        folders[name] = Path(shutil.copytree(scenario / "dumps", root / name.replace(" ", "-")))
        (folders[name] / path).parent.mkdir(parents=True, exist_ok=True)
        (folders[name] / path).write_text(text)
    return folders


@pytest.mark.parametrize(
    ("name", "never"),
    [
        ("every topic", True), ("before it was created", True),
        ("one topic", False), ("after it was created", False),
    ],
)  # fmt: skip
def test_no_topic_for_transactions(documents, name, never):
    document = documents[name]
    assert ("no_state_topic" in kinds(document)) is never
    assert bool({"missing_coordinator", "missing_state"} & kinds(document)) is not never
