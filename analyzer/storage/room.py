"""Whether the disks have room for what a run writes, said before it reads for an hour and not afterwards."""

import os
import shutil
import tempfile
from collections import defaultdict
from pathlib import Path

from analyzer.config import Config
from analyzer.storage.locations import is_local_folder
from analyzer.storage.settings import local_cores

PART_OF_INPUT = 10
"""A case takes at most a tenth of its input, and so does what is computed between stages (measured: 4 to 8 %)."""
SPARK_SCRATCH = "spark.local.dir"


def too_little_room(config: Config, location: str, in_bytes: int) -> str | None:
    """Return a warning if so much new input may not fit where this machine writes it, else None; sizes in MB.

    `config` has the engine that was chosen. What a cluster computes lies on the disks of its workers.
    """
    folders = [_scratch(config)] if local_cores(config.spark.master) > 0 else []
    if is_local_folder(location):
        folders.append(_there(Path(location).absolute()))
    needed: dict[int, int] = defaultdict(int)
    for folder in folders:
        needed[folder.stat().st_dev] += in_bytes // PART_OF_INPUT
    for folder in reversed(folders):
        free, wanted = shutil.disk_usage(folder).free, needed[folder.stat().st_dev]
        if free < wanted:
            named = f'[spark.extra] "{SPARK_SCRATCH}" in a file for --conf'
            scratch = "TMPDIR" if config.spark.engine == "sail" else named
            return (
                f"warning: {free // 10**6:,} MB are free in {folder}, and this input may need {wanted // 10**6:,} MB.\n"
                f"do: --case FOLDER on a larger disk, and {scratch} for what is computed between stages"
            )
    return None


def _scratch(config: Config) -> Path:
    """Return where an engine of this machine keeps what it computes."""
    if config.spark.engine == "sail":
        return Path(tempfile.gettempdir())
    named = os.environ.get("SPARK_LOCAL_DIRS") or config.spark.extra.get(SPARK_SCRATCH) or tempfile.gettempdir()
    return _there(Path(named.split(",")[0]).absolute())


def _there(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that is there."""
    return next(one for one in (folder, *folder.parents) if one.is_dir())
