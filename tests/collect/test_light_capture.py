"""The light capture of real brokers' log dirs: complete, exact, and read by the scan as that broker's."""

import shutil
import subprocess
import time

import pytest
from collecting import SCRIPT, read, state_of

from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

SCENARIOS = ["late_write", "snapshot_only", "S14_prepare_stuck_down", "group_commit_hang"]


def test_shellcheck_finds_nothing():
    if shutil.which("shellcheck") is None:
        pytest.skip("no shellcheck here")
    done = subprocess.run(["shellcheck", "-s", "sh", SCRIPT], capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.returncode == 0


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_takes_what_is_small_and_nothing_else(collect, lab, scenario):
    for folder in sorted((lab / "dev" / scenario / "logdir").glob("broker-*")):
        before = state_of(folder)
        archive = collect("--log-dir", folder)
        assert state_of(folder) == before
        wanted = {
            f"{folder.name}/{name}": content
            for name, (_, _, content) in before.items()
            if not name.endswith(".log") or name.startswith("__transaction_state-")
        }
        ours = {"capture.toml", f"{folder.name}/manifest.txt"}
        assert {name: content for name, content in archive.contents.items() if name not in ours} == wanted
        assert {name: int(fields[0]) for name, fields in archive.lines("file").items()} == {
            name: len(content) for name, content in wanted.items()
        }
        assert archive.lines("left-out") == {}
        assert archive.manifest[-1] == ["end", str(len(wanted)), str(sum(map(len, wanted.values())))]


def test_everything_if_asked(collect, lab):
    folder = lab / "dev" / "late_write" / "logdir" / "broker-0"
    archive = collect("--log-dir", folder, "--all")
    assert {f"broker-0/{name}" for name in state_of(folder)} <= set(archive.contents)


def test_the_scan_knows_broker_and_moment(collect, lab, tmp_path):
    shutil.copytree(lab / "dev" / "S14_prepare_stuck_down" / "logdir", tmp_path / "running")
    folders = sorted((tmp_path / "running").glob("broker-*"))
    assert len(folders) > 1
    for folder in folders:
        (folder / "replication-offset-checkpoint").touch()  # as a running broker does every few seconds
    before = time.time_ns() // 1_000_000
    archives = [collect("--log-dir", folder) for folder in folders]
    captures = [scan_capture(CaptureRequest((str(archive.path),))) for archive in archives]
    for folder, archive, capture in zip(folders, archives, captures, strict=True):
        assert {file["folder_replica"] for file in capture.files} - {None} == {folder.name.removeprefix("broker-")}
        assert [file["path"] for file in capture.files if file["problem"]] == []
        assert capture.row["captured_at_source"] == "capture.toml"
        copied = [int(fields[1]) for fields in archive.lines("file").values()]
        assert before - 1000 <= capture.row["captured_at"] <= min(copied)
    together = tmp_path / "together"
    together.mkdir()
    for archive in archives:
        shutil.copy(archive.path, together)
    files = scan_capture(CaptureRequest((str(together),))).files
    replicas = {file["folder_replica"] for file in files if file["folder_topic"] is not None}
    assert replicas == {folder.name.removeprefix("broker-") for folder in folders}


def test_state_is_copied_before_data(collect, lab):
    archive = collect("--log-dir", lab / "dev" / "late_write" / "logdir" / "broker-0", "--all")
    names = [name for name in archive.contents if name.endswith((".log", ".snapshot"))]
    states = [name.startswith("broker-0/__transaction_state-") for name in names]
    assert states == sorted(states, reverse=True)


def test_it_goes_through_a_pipe_as_through_kubectl_exec(collect, lab):
    folder = lab / "dev" / "late_write" / "logdir" / "broker-0"
    before = set(collect.folder.iterdir())
    with SCRIPT.open("rb") as script:
        done = subprocess.run(
            [*collect.shell, "-s", "--", "--log-dir", folder, "-o", "-"],
            stdin=script, capture_output=True, check=True, cwd=collect.folder,
        )  # fmt: skip
    assert set(collect.folder.iterdir()) == before
    path = collect.folder / "piped.tar.gz"
    path.write_bytes(done.stdout)
    assert set(read(path).contents) == set(collect("--log-dir", folder).contents)


def test_the_metadata_log_from_its_newest_checkpoint_on(collect, log_dir):
    folder = log_dir / "__cluster_metadata-0"
    folder.mkdir()
    for name in ["-0000000003.checkpoint", "-0000000004.checkpoint"]:
        (folder / f"{int(name[1:11]) * 100:020d}{name}").write_bytes(b"checkpoint")
    for base in [0, 250, 350, 500]:
        (folder / f"{base:020d}.log").write_bytes(b"log")
    archive = collect("--log-dir", log_dir)
    names = [name.rpartition("/")[2] for name in archive.contents if "__cluster_metadata" in name]
    assert sorted(names) == [
        "00000000000000000350.log",
        "00000000000000000400-0000000004.checkpoint",
        "00000000000000000500.log",
    ]
