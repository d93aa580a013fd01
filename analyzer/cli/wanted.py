"""What options say of a command: the case, the settings, the engine, the way to the brokers."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from analyzer.cli.options import Engine
from analyzer.config import Config, load_config
from analyzer.kafka.reaching.reach import UNKNOWN, Reach


@dataclass(frozen=True, slots=True)
class Wanted:
    """Options of a command: the case, the settings file, whether to be silent, an engine other than the settings'.

    `reach`: how printed commands reach the brokers, if options tell.
    """

    case: str | None
    conf: Path | None
    quiet: bool = False
    engine: Engine | None = None
    reach: Reach = UNKNOWN

    @property
    def config(self) -> Config:
        """The settings, with the engine and the way to the brokers of the command line if there are any."""
        config = dataclasses.replace(load_config(self.conf), reach=self.reach)
        if self.engine is None:
            return config
        return dataclasses.replace(config, spark=dataclasses.replace(config.spark, engine=self.engine.value))
