"""Stages and detectors are plans that Spark takes, too: their tests run on Sail, and few captures reach all of them."""

from analyzer.detectors.registry import ALL
from analyzer.detectors.running import run_all
from analyzer.pipeline.reported import STAGES


def test_spark_plans_every_stage_and_detector(over_nothing):
    names = [stage.name for stage in STAGES]
    tables = over_nothing(STAGES).tables(*names)
    assert set(tables) == set(names)
    for detector in ALL:
        asked = [(detector.code, number, way) for number, way in enumerate(detector.ways)]
        assert "capture" in run_all(asked, tables, 1).columns, detector.code
