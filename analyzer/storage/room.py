"""Whether the disks have room for what a run writes: said before it reads for an hour, not after."""

import shutil
import tempfile
from collections import defaultdict
from pathlib import Path

from analyzer.storage.locations import is_local_folder

TENTH = 10
"""A case takes at most a tenth of its input, and so does what is computed between stages (measured: 4 to 8 %)."""


def too_little_room(location: str, in_bytes: int) -> str | None:
    """Return what to say if so much input may not fit: the folder, what is free there and what may be needed, in MB."""
    folders = [Path(tempfile.gettempdir())]
    if is_local_folder(location):
        folders.append(_there(Path(location).absolute()))
    needed: dict[int, int] = defaultdict(int)
    for folder in folders:
        needed[folder.stat().st_dev] += in_bytes // TENTH
    for folder in reversed(folders):
        free, wanted = shutil.disk_usage(folder).free, needed[folder.stat().st_dev]
        if free < wanted:
            return (
                f"warning: {free // 10**6:,} MB are free in {folder}, and this input may need {wanted // 10**6:,} MB.\n"
                "do: --case FOLDER, and the environment variable TMPDIR, on a larger disk"
            )
    return None


def _there(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that is there."""
    return next(one for one in (folder, *folder.parents) if one.is_dir())
