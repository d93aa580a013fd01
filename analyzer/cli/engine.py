"""The option that says what computes: Spark, Sail, or whichever suits the input."""

import enum
from typing import Annotated

import typer


class Engine(enum.StrEnum):
    """What computes."""

    auto = "auto"
    spark = "spark"
    sail = "sail"


EngineOption = Annotated[Engine | None, typer.Option("--engine", help="Engine; by default that of the settings.")]
