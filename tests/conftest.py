"""What all tests share: the corpus of real brokers' files, unpacked once, one Spark session, and the command line."""

import functools
import gc
import itertools
import tarfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from judged_together import Asking, Documents, judge_all
from over_nothing import run_over_nothing
from pyspark.sql import SparkSession

from analyzer.cli import SELDOM
from analyzer.cli.border import run_at_border
from analyzer.config import Config, SparkConfig
from analyzer.stages.running import Run
from analyzer.stages.stage import Stage
from analyzer.storage.named_cases import DATA_VARIABLE
from analyzer.storage.session import build_session
from analyzer.storage.settings import Work

CORPUS = Path(__file__).parent / "corpus.tar.xz"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="every scenario, ten times as many random captures")
    parser.addoption("--kafka", action="store_true", help="tests that need the jars of real Kafka releases")
    parser.addoption("--engine", choices=["spark", "sail"], default="spark", help="what the shared session runs on")


def pytest_collection_finish() -> None:
    """Look for cyclic garbage as seldom as the command does, and never among what was imported."""
    gc.set_threshold(*SELDOM)
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _data_of_all_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test keeps a case in the data directory of the person who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("data")
        patch.setenv(DATA_VARIABLE, str(folder))
        yield folder


TESTS = itertools.count()


@pytest.fixture(autouse=True)
def _data_of_one_test(_data_of_all_tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test finds no case that another one kept. Pytest's own `mktemp` would search all that it has made before."""
    folder = _data_of_all_tests / str(next(TESTS))
    folder.mkdir()
    monkeypatch.setenv(DATA_VARIABLE, str(folder))


@pytest.fixture(scope="session")
def soak(request: pytest.FixtureRequest) -> bool:
    """Whether there is time for every scenario and many random captures."""
    return bool(request.config.getoption("--soak"))


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus (see its README.md) in a scratch folder: dev/, matrix/, vectors/; nothing may be changed in it."""
    folder = tmp_path_factory.mktemp("lab")
    with tarfile.open(CORPUS) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="session")
def spark(request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    """The one session of the suite, Spark's unless asked otherwise, built by the product's own code: two cores."""
    engine = request.config.getoption("--engine")
    settings = SparkConfig(engine=engine, master="local[2]", driver_memory="2g")
    session, owned = build_session(Config(spark=settings), Work.SMALL)
    yield session
    if owned:
        session.stop()


@pytest.fixture(scope="session")
def documents_of_all(request, tmp_path_factory) -> dict[Asking, Documents]:
    """The documents of what is `judged_together`."""
    return judge_all(request, tmp_path_factory.mktemp("together"))


@pytest.fixture(scope="session")
def over_nothing(spark: SparkSession) -> Callable[[Iterable[Stage]], Run]:
    """A function: stages in, a run of them over a case that holds nothing out; no stage is left out for that."""
    return functools.partial(run_over_nothing, spark)


class Outcome(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def command_alone(monkeypatch, capsys) -> Callable[..., Outcome]:
    """Runs `txn-forensics ARGUMENTS` in this process, without a session."""

    def run(*arguments: str | int | Path) -> Outcome:
        from analyzer.cli.commands import app

        monkeypatch.setattr("sys.argv", ["txn-forensics", *map(str, arguments)])
        code = run_at_border(app)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def command(spark, command_alone) -> Callable[..., Outcome]:
    """Runs `txn-forensics ARGUMENTS` in this process, with the suite's session."""
    return command_alone
