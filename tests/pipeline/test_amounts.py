"""How much there is to compute decides how, and never what comes of it."""

import json

import pytest

from analyzer.config import Config
from analyzer.pipeline.amounts import one_task_or_many
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case


@pytest.fixture(scope="module")
def case(spark, lab, tmp_path_factory) -> Case:
    """Two captures, of which one is judged: the other's facts lie beside its own."""
    case = Case(spark, str(tmp_path_factory.mktemp("amounts") / "case"))
    folders = [lab / "dev" / name / "dumps" for name in ("late_write", "S8_marker_lost")]
    ingest(case, [scan_capture(CaptureRequest((str(folder),), folder.parent.name)) for folder in folders])
    return case


@pytest.fixture(scope="module")
def tiny(case) -> list:
    return analyze(case, ["late_write"], Config())


@pytest.mark.parametrize(
    "bound",
    [{"TINY_FILES": 0}, {"TINY_FILES": 0, "FEW_ROWS": 0}, {"TINY_FILES": 0, "FEW_ROWS": 0, "TINY_ROWS": 4}],
    ids=["few", "many of which few rows come", "many"],
)
def test_a_document_is_the_same_however_it_is_computed(case, tiny, bound, soak, monkeypatch):
    """As a few rows only with --soak: so tests/cluster judges, and is held to what is computed as tiny."""
    if len(bound) == 1 and not soak:
        pytest.skip("as a few rows: --soak")
    for name, value in bound.items():
        monkeypatch.setattr(one_task_or_many, name, value)
    before = case.spark.conf.get("spark.sql.shuffle.partitions")
    assert json.dumps(analyze(case, ["late_write"], Config())) == json.dumps(tiny)
    assert tiny[0]["findings"]
    assert case.spark.conf.get("spark.sql.shuffle.partitions") == before
