"""What all tests share: the corpus of real brokers' files, unpacked once, and one Spark session."""

import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from analyzer.config import Config, SparkConfig
from analyzer.storage.session import build_session
from analyzer.storage.settings import Work

CORPUS = Path(__file__).parent / "corpus.tar.xz"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="every scenario, ten times as many random captures")
    parser.addoption("--kafka", action="store_true", help="tests that need the jars of real Kafka releases")
    parser.addoption("--engine", choices=["spark", "sail"], default="spark", help="what the shared session runs on")


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
