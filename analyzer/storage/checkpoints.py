"""A folder in the case for what a cluster computes between stages: what a worker held outlives it there."""

import dataclasses
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from analyzer.config import Config
from analyzer.storage.locations import SCHEMA_PREFIX

CHECKPOINTS = "spark.checkpoint.dir"
"""The setting that names a folder which all machines of a cluster see."""

FOLDER = ".checkpoints"


@contextmanager
def checkpoints(config: Config, location: str) -> Iterator[Config]:
    """Yield the settings with a folder of this run's own in the case, unless they name one; remove it in the end.

    A case in a metastore's schema has no folder: there it is lost with the worker that holds it.
    """
    if CHECKPOINTS in config.spark.extra or location.startswith(SCHEMA_PREFIX):
        yield config
        return
    folder = f"{location.rstrip('/')}/{FOLDER}/{uuid.uuid4()}"
    extra = {**config.spark.extra, CHECKPOINTS: folder}
    try:
        yield dataclasses.replace(config, spark=dataclasses.replace(config.spark, extra=extra))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):
            Path(folder).parent.rmdir()
