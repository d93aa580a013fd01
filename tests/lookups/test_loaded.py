"""What a question to a stored case may load: no engine, no pandas, no decoder that its answer does not need."""

import subprocess
import sys

import pytest

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

ENGINES = {"pyspark", "pysail", "delta", "grpc", "py4j", "pandas"}
PROBE = """
import sys
from analyzer.cli import main
sys.argv = ["txn-forensics", *sys.argv[1:]]
try:
    main()
finally:
    print("LOADED", *sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""
QUESTIONS = [
    ("who", "audit-0@0"), ("txn", "bg-app-0"), ("txn", "0", "--format", "json"), ("top",), ("top", "--format", "csv"), ("timeline",),
    ("timeline", "--format", "trace"), ("report",), ("report", "--format", "json"), ("plan", "1"), ("evidence", "1"),
]  # fmt: skip


@pytest.fixture(scope="module")
def case(spark, lab, tmp_path_factory):
    """A case of one scenario, analyzed."""
    where = str(tmp_path_factory.mktemp("loaded") / "case")
    capture = scan_capture(CaptureRequest((str(lab / "dev" / "late_write" / "dumps"),), "late"))
    ingest(Case(spark, where), [capture])
    analyze(Case(spark, where), ["late"], Config())
    return where


def loaded(*arguments: str) -> tuple[set[str], str]:
    """The packages that a command has loaded when it ends, and what it printed."""
    told = subprocess.run([sys.executable, "-c", PROBE, *arguments], capture_output=True, text=True, check=False)
    assert told.returncode in {0, 1}, told.stderr
    return set(told.stderr.rpartition("LOADED")[2].split()), told.stdout


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_a_stored_case_is_asked_without_an_engine(question, case):
    packages, answer = loaded(*question, "--case", case)
    assert answer
    assert "deltalake" in packages, "this is not how a case in a folder is read"
    assert not packages & ENGINES
    assert "aiokafka" not in packages, "these files are text"


def test_the_help_text_loads_no_command():
    packages, answer = loaded("--help")
    assert "who" in answer
    assert not packages & (ENGINES | {"pyarrow", "numpy", "deltalake", "jinja2", "aiokafka"})


def test_a_command_with_an_engine_does_load_one(case):
    """Else the tests above could not fail."""
    packages, answer = loaded("sql", "SELECT count(*) FROM captures", "--case", case, "--engine", "sail")
    assert answer
    assert packages >= {"pyspark", "pysail"}
