"""The messages of the worst moments, provoked for real and compared whole: what was found, what was wanted, what to do."""

import fcntl
import os
import signal
import subprocess
import sys
import time

import pytest

from analyzer.cli.border import run_at_border

KAFKA = "output of kafka-dump-log.sh, or folders named <topic>-<partition> with .log files."
READ = (
    "folders named <topic>-<partition> with .log files, output of kafka-dump-log.sh, logs of brokers or clients, or answers of "
    "kafka-transactions.sh, kafka-consumer-groups.sh, rpk or kcl."
)
FOLDER = "txn-forensics run FOLDER, with a folder of log.dirs (see server.properties) or that of the dumps"


@pytest.fixture
def told(monkeypatch, capsys, tmp_path):
    """Runs a command in an empty folder; returns its exit code and all that it says."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        from analyzer.cli.commands import app

        monkeypatch.setattr("sys.argv", ["txn-forensics", *map(str, arguments)])
        code = run_at_border(app)
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return run


def test_no_java(tmp_path):
    command = [sys.executable, "-m", "analyzer", "doctor", "--engine", "spark"]
    away = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"} | {"PATH": str(tmp_path)}
    done = subprocess.run(command, env=away, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no java was found (JAVA_HOME is not set, no java on PATH)" in done.stdout
    assert "do: apt-get install openjdk-17-jre-headless, or set JAVA_HOME" in done.stdout
    assert done.stderr == ""


def test_the_wrong_folder(told, tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "kafkaServer-gc.log").write_text("[0.012s][info][gc] Using G1\n")
    assert told("run", "logs") == (
        2,
        (
            "error: nothing under logs looks like a Kafka log or a dump of one: 1 file read (first: kafkaServer-gc.log).\n"
            f"wanted: {READ}\ndo: {FOLDER}; txn-forensics run - reads a paste.\n"
        ),
    )


def test_an_empty_folder(told, tmp_path):
    (tmp_path / "empty").mkdir()
    assert told("run", "empty") == (2, f"error: empty holds no files.\nwanted: {KAFKA}\ndo: {FOLDER}\n")


def test_a_path_that_is_not_there(told):
    assert told("run", "/no/such/folder") == (
        2,
        "error: /no/such/folder does not exist.\ndo: check the path; it may be relative to another folder\n",
    )


def test_files_that_cannot_be_read(told, tmp_path):
    folder = tmp_path / "copy" / "orders-0"
    folder.mkdir(parents=True)
    (folder / "00000000000000000000.log").symlink_to(tmp_path / "gone")
    code, said = told("run", "copy")
    assert code == 2
    assert said == (
        "error: cannot read orders-0/00000000000000000000.log: no such file or directory. 1 of 1 file.\n"
        "do: copy it as its owner, or leave it out with a run on the other folders.\n"
    )


def test_a_moment_in_seconds(told):
    assert told("run", "--captured-at", "1795254355", ".") == (
        2,
        "error: captured_at 1795254355 is 1970-01-21: seconds? Kafka's times are milliseconds (1795254355000).\n",
    )


def test_a_code_that_does_not_exist(told):
    assert told("explain", "TXN02") == (
        2,
        "error: unknown code TXN02; nearest: TXN002 hanging_late_write\ndo: txn-forensics detectors lists them\n",
    )


def test_a_format_that_does_not_exist(told):
    code, said = told("run", "--format", "pdf", ".")
    assert (code, said) == (2, "error: unknown format pdf.\nwanted: text, concise, json, markdown, html, postmortem\n")


@pytest.fixture(scope="module")
def stored(lab, tmp_path_factory):
    """A case with four captures, each of which lacks something; what the run said, and its exit code."""
    import shutil

    folder = tmp_path_factory.mktemp("captures")
    whole = lab / "dev" / "late_write" / "dumps"
    for name in ("no_coordinator", "cut"):
        shutil.copytree(whole, folder / name)
    for state in (folder / "no_coordinator" / "broker-0").glob("__transaction_state-*"):
        shutil.rmtree(state)
    for dump in (folder / "cut" / "broker-0" / "orders-0").glob("*.log*.txt"):
        dump.write_bytes(dump.read_bytes()[:3000])
    shallow = folder / "shallow" / "broker-0" / "orders-0"
    shallow.mkdir(parents=True)
    dump = whole / "broker-0" / "orders-0" / "00000000000000000000.log.txt"
    lines = [line for line in dump.read_text("utf-8").splitlines(keepends=True) if not line.startswith("| offset")]
    (shallow / dump.name).write_text("".join(lines), "utf-8")
    paths = [folder / name for name in ("no_coordinator", "shallow", "cut")]
    command = [sys.executable, "-m", "analyzer", "run", "--each", *paths, "--case", folder / "case", "--engine", "sail",
               "--quiet", "--format", "markdown"]  # fmt: skip
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    reports = done.stdout.split("# txn-forensics")[1:]
    return folder / "case", dict(zip(("no_coordinator", "shallow", "cut"), reports, strict=True))


def test_no_coordinator_dumps(stored):
    report = stored[1]["no_coordinator"]
    missing = "50 of the 50 partitions of `__transaction_state` are not here: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ..."
    first = next(line for line in report.splitlines() if line.startswith("**"))
    assert first.startswith(f"**NO VERDICT ON 3 OPEN TRANSACTIONS: {missing}; ")
    assert "/replication-offset-checkpoint:" in first
    assert first.endswith(" says. Do not abort on this report alone.**")
    assert "kafka-dump-log.sh --deep-iteration --transaction-log-decoder --files" in report


def test_dumps_without_deep_iteration(stored):
    report = stored[1]["shallow"]
    assert "11 control batches were dumped without saying whether they are COMMIT or ABORT" in report
    assert "fetch: kafka-dump-log.sh --deep-iteration --files \\<segment>.log of orders-0" in report


def test_a_cut_dump(stored):
    report = stored[1]["cut"]
    assert "the dump ends in the middle of a line or batch, line 18: the last line has no end" in report
    assert "fetch: a new dump of this segment, with stderr in a file of its own: 2> dump.err" in report


def test_a_case_that_is_being_written(stored, told, lab):
    with (stored[0] / ".lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        code, said = told(
            "run", lab / "dev" / "late_write" / "dumps", "--case", stored[0], "--engine", "sail", "--quiet"
        )
    assert code == 2
    assert said == (
        f"error: another run is writing to the case {stored[0]}.\n"
        "do: wait until it has ended, or name another --case.\n"
    )


def test_no_room_for_the_report(stored, told):
    assert told("report", "--case", stored[0], "-o", "/dev/full") == (
        2,
        "error: no space left on device.\ndo: name a --case on a disk with more room.\n",
    )


def test_ctrl_c_says_what_is_stored_and_how_to_go_on(lab, tmp_path):
    case = tmp_path / "case"
    capture = lab / "dev" / "late_write" / "dumps"
    command = [sys.executable, "-m", "analyzer", "run", capture, "--case", case, "--engine", "sail"]
    running = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    begun = time.monotonic()
    try:
        while len(list(case.glob("catalog/_delta_log/*.json"))) < 1:
            assert time.monotonic() - begun < 120
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=120)
    finally:
        running.kill()
    assert running.returncode == 130
    assert out == ""
    last = err.splitlines()[-2:]
    assert last == [
        f"stopped; 91 of 91 files are stored and will not be read again. Case: {case}",
        f"do: the same command with --case {case}",
    ]
