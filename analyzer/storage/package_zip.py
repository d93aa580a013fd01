"""Zips the installed package, so that Spark can ship it to a cluster's workers."""

import zipfile
from pathlib import Path

import analyzer


def zip_package(folder: Path) -> Path:
    """Write `analyzer.zip` with the package's modules and resources into the folder and return its path."""
    root = Path(analyzer.__file__).parent
    target = folder / "analyzer.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                archive.write(path, path.relative_to(root.parent))
    return target
