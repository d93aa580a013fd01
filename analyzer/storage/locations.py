"""Where a case lies: a folder of this machine, an address, or a schema of the metastore; and its checkpoints."""

import dataclasses

from analyzer.config import Config

SCHEMA_PREFIX = "schema:"
"""What stands before the name of a metastore's schema where a case is kept in one."""

CHECKPOINTS = "spark.checkpoint.dir"
"""The setting that names a folder for what is computed between stages, which all machines of a cluster see."""

CHECKPOINTS_FOLDER = ".checkpoints"


def is_local_folder(location: str) -> bool:
    """Return whether a case is a folder of this machine, named without a scheme."""
    return "://" not in location and not location.startswith((SCHEMA_PREFIX, "dbfs:", "file:"))


def with_checkpoints(config: Config, location: str) -> Config:
    """Return the settings with a folder in the case for what a cluster computes between stages, unless they name one.

    A case in a metastore's schema has no folder: there it is lost with the worker that holds it.
    """
    if CHECKPOINTS in config.spark.extra or location.startswith(SCHEMA_PREFIX):
        return config
    extra = {**config.spark.extra, CHECKPOINTS: f"{location.rstrip('/')}/{CHECKPOINTS_FOLDER}"}
    return dataclasses.replace(config, spark=dataclasses.replace(config.spark, extra=extra))
