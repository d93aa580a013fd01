"""analyzer/stages/private_tables.json, asked of the stages themselves: `make stages` runs this module."""

import json
from importlib import resources

from over_nothing import run_over_nothing
from pyspark.sql import SparkSession

from analyzer import stages
from analyzer.config import Config, SparkConfig
from analyzer.pipeline.reported import STAGES
from analyzer.stages.private import FILE
from analyzer.storage.session import build_session
from analyzer.storage.settings import Work

PAGE = resources.files(stages).joinpath(FILE)


def page(spark: SparkSession) -> str:
    """What each private table has on this engine, a table a line."""
    private = [stage.name for stage in STAGES if stage.declared is None]
    given = ("places", "unread_segments", "files_of_captures", "other_topics")
    tables = run_over_nothing(spark, STAGES).tables(*private, *given)
    lines = [f"{json.dumps(name)}: {json.dumps(dict(tables[name].dtypes))}" for name in sorted(tables)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Write the file."""
    PAGE.write_text("{}", encoding="utf-8")  # or else what is there would be held against the stages
    spark, _ = build_session(Config(spark=SparkConfig(engine="sail")), Work.SMALL)
    PAGE.write_text(page(spark), encoding="utf-8")


if __name__ == "__main__":
    main()
