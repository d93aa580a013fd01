"""Log dirs that are hostile or change while they are read: nothing outside is read, the archive stays whole."""

import os
import random
import shutil
import subprocess
import tarfile
import threading

import pytest
from collecting import Collect, put, read, state_of

SECRET = b"s3cr3t-outside"
NAMES = [
    "a b-0",
    "new\nline-0",
    "$(touch evil)-0",
    "`touch evil`-0",
    "quo'te\"s-0",
    "semi;touch evil-0",
    "*-0",
    "ümlaut-0",
]
SNAPSHOT = "00000000000000000005.snapshot"
LOG = "00000000000000000000.log"


def test_hostile_names_and_links(collect, log_dir, tmp_path):
    outside = put(tmp_path, f"outside-0/{SNAPSHOT}", SECRET)
    for name in NAMES:
        put(log_dir, f"{name}/{SNAPSHOT}", b"hostile folder")
    for name in [*NAMES, "-rf.snapshot", "../x.snapshot".replace("/", "_")]:
        put(log_dir, f"good-0/{name}", b"hostile file")
    put(log_dir, f"-rf-0/{SNAPSHOT}", b"a topic may begin with a dash")
    (log_dir / "linked-0").symlink_to(outside.parent)
    (log_dir / "good-0" / SNAPSHOT).symlink_to(outside)
    (log_dir / "good-0" / "leader-epoch-checkpoint").symlink_to("/etc/passwd")
    (log_dir / "replication-offset-checkpoint").symlink_to(outside)
    os.mkfifo(log_dir / "good-0" / "partition.metadata")
    before = state_of(log_dir)
    archive = collect("--log-dir", log_dir, "--all", "--topics", "$(touch evil)")
    assert state_of(log_dir) == before
    assert set(archive.contents) == {
        "capture.toml", "broker-3/manifest.txt", "broker-3/meta.properties", f"broker-3/-rf-0/{SNAPSHOT}",
    }  # fmt: skip
    everything = b"".join(archive.contents.values())
    assert SECRET not in everything
    assert b"root:" not in everything
    told = archive.lines("left-out")
    assert told["broker-3/linked-0"] == ["a link, not followed"]
    assert told[f"broker-3/good-0/{SNAPSHOT}"] == ["a link, not followed"]
    assert told["broker-3/good-0/partition.metadata"] == ["no regular file"]
    assert told["broker-3/new?line-0"] == ["no TOPIC-N"]
    assert not [path for path in (*collect.folder.iterdir(), *log_dir.iterdir()) if path.name == "evil"]


def test_a_list_of_files_leads_nowhere_else(collect, log_dir, tmp_path):
    outside = put(tmp_path, f"outside-0/{SNAPSHOT}", SECRET)
    put(log_dir, f"good-0/{SNAPSHOT}", b"good")
    (log_dir / "linked-0").symlink_to(outside.parent)
    lines = [
        "/etc/passwd", "../outside-0/" + SNAPSHOT, str(outside), f"good-0/../../outside-0/{SNAPSHOT}", f"linked-0/{SNAPSHOT}",
        "$(touch evil)", "-rf", f"good-0/{SNAPSHOT}",
    ]  # fmt: skip
    archive = collect("--log-dir", log_dir, "--files", put(tmp_path, "list", "\n".join(lines).encode()))
    assert set(archive.contents) == {"capture.toml", "broker-3/manifest.txt", f"broker-3/good-0/{SNAPSHOT}"}
    assert len(archive.lines("left-out")) == len(lines) - 1


def test_folders_that_are_no_replicas_are_told(collect, log_dir):
    for kind in ["future", "delete", "stray"]:
        put(log_dir, f"orders-1.0123456789abcdef0123456789abcdef-{kind}/{SNAPSHOT}")
    archive = collect("--log-dir", log_dir)
    assert [why[0].split(":")[0] for why in archive.lines("left-out").values()] == [
        "a partition that is being deleted",
        "a replica on its way to another log dir, no replica yet",
        "a stray partition",
    ]


def test_names_as_long_as_kafka_allows(collect, log_dir):
    topic = "t" * 249
    put(log_dir, f"{topic}-12345/{SNAPSHOT}", b"long")
    put(log_dir, f"{'u' * 60}-0/{SNAPSHOT}", b"just over a hundred")
    archive = collect("--log-dir", log_dir)
    assert archive.contents[f"broker-3/{topic}-12345/{SNAPSHOT}"] == b"long"
    assert archive.contents[f"broker-3/{'u' * 60}-0/{SNAPSHOT}"] == b"just over a hundred"
    listed = subprocess.run(["tar", "tzf", archive.path], capture_output=True, text=True, check=True)
    assert listed.stderr == ""
    assert sorted(listed.stdout.splitlines()) == sorted(archive.contents)


class Paused:
    """A collection that stands still in the middle of its first segment, because nobody reads what it writes."""

    def __init__(self, collect: Collect, log_dir) -> None:
        self.collect = collect
        self.first = log_dir / "__transaction_state-0" / LOG
        self.process = subprocess.Popen(
            collect.command("--log-dir", log_dir, "--all", "-o", "-"),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=collect.folder,
        )  # fmt: skip
        self.begun = self.process.stdout.read(50_000)  # the first segment is incompressible and far larger

    def rest(self):
        path = self.collect.folder / "paused.tar.gz"
        path.write_bytes(self.begun + self.process.stdout.read())
        assert self.process.wait(60) == 0
        self.process.stdout.close()
        return read(path)


@pytest.fixture
def paused(collect, log_dir):
    """A log dir whose state segment fills every pipe, so that the collection waits in the middle of it."""
    put(log_dir, f"__transaction_state-0/{LOG}", random.Random(20).randbytes(8_000_000))
    put(log_dir, f"orders-0/{SNAPSHOT}", b"snapshot")
    put(log_dir, f"orders-0/{LOG}", b"old")
    put(log_dir, f"orders-1/{LOG}", b"one")
    return Paused(collect, log_dir)


def test_files_that_vanish(paused, log_dir):
    (log_dir / "orders-0" / SNAPSHOT).unlink()
    shutil.rmtree(log_dir / "orders-1")
    archive = paused.rest()
    assert f"broker-3/orders-0/{LOG}" in archive.contents
    told = archive.lines("left-out")
    assert told[f"broker-3/orders-0/{SNAPSHOT}"] == ["gone"]
    assert told[f"broker-3/orders-1/{LOG}"] == ["the folder is gone, or a link"]


def test_a_folder_that_becomes_a_link(paused, log_dir, tmp_path):
    put(tmp_path, f"outside/{LOG}", SECRET)
    shutil.rmtree(log_dir / "orders-1")
    (log_dir / "orders-1").symlink_to(tmp_path / "outside")
    archive = paused.rest()
    assert f"broker-3/orders-1/{LOG}" not in archive.contents
    assert SECRET not in b"".join(archive.contents.values())


def test_files_that_grow_before_and_while_they_are_read(paused, log_dir):
    first = paused.first.read_bytes()
    with paused.first.open("ab") as stream:
        stream.write(b"appended" * 1000)
    with (log_dir / "orders-0" / LOG).open("ab") as stream:
        stream.write(b" and new")
    archive = paused.rest()
    assert archive.contents[f"broker-3/__transaction_state-0/{LOG}"] == first
    assert archive.contents[f"broker-3/orders-0/{LOG}"] == b"old and new"


def test_a_file_that_shrinks_while_it_is_read(paused):
    first = paused.first.read_bytes()
    os.truncate(paused.first, 5_000_000)
    archive = paused.rest()
    name = f"broker-3/__transaction_state-0/{LOG}"
    assert archive.contents[name] == first[:5_000_000] + bytes(3_000_000)
    assert archive.lines("shrank")[name][0] == "3000000"


def test_a_reader_that_goes_away_ends_it(paused):
    paused.process.stdout.close()
    assert paused.process.wait(60) != 0


def test_a_log_that_is_being_written(collect, log_dir):
    path = put(log_dir, f"orders-0/{LOG}", b"")
    stop = threading.Event()

    def write() -> None:
        with path.open("ab", buffering=0) as stream:
            number = 0
            while not stop.is_set():
                stream.write(b"%015d\n" % number)
                number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        archives = [collect("--log-dir", log_dir, "--all") for _ in range(3)]
    finally:
        stop.set()
        writer.join()
    whole = path.read_bytes()
    taken = [archive.contents[f"broker-3/orders-0/{LOG}"] for archive in archives]
    assert all(whole.startswith(one) for one in taken)
    assert [len(one) for one in taken] == sorted({len(one) for one in taken})
    for archive in archives:
        with tarfile.open(archive.path) as tar:
            assert tar.getmembers()[-1].name == "broker-3/manifest.txt"
