"""Zips the installed package, so that Spark can ship it to a cluster's workers."""

import os
import zipfile
from pathlib import Path

import analyzer


def zip_package(folder: Path) -> Path:
    """Write `analyzer.zip` with the package's modules and resources into the folder and return its path.

    One that is there is replaced at once: a job that reads it meanwhile has the old one.
    """
    root = Path(analyzer.__file__).parent
    target = folder / "analyzer.zip"
    fresh = folder / f"analyzer.{os.getpid()}.zip"
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                archive.write(path, path.relative_to(root.parent))
    fresh.replace(target)
    return target
