"""Every stage is a plan that Spark takes, too: the tests of stages run on Sail, and few captures reach all of them."""

from analyzer.pipeline.reported import STAGES


def test_spark_plans_every_stage(over_nothing):
    names = [stage.name for stage in STAGES]
    assert set(over_nothing(STAGES).tables(*names)) == set(names)
