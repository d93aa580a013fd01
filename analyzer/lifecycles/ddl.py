"""Writes `schemas/<table>.ddl` for every table: stored or computed: `python -m analyzer.lifecycles.ddl schemas`."""

import sys
from pathlib import Path

from analyzer.lifecycles.tables import DERIVED
from analyzer.tables import TABLES


def ddl_files() -> dict[str, str]:
    """Return the text of each schema file by its name."""
    return {f"{table.name}.ddl": table.create_statement() for table in (*TABLES.values(), *DERIVED.values())}


def write_ddl(folder: Path) -> None:
    """Write the schema files into the folder and remove those of tables that no longer exist."""
    files = ddl_files()
    for stale in set(folder.glob("*.ddl")) - {folder / name for name in files}:
        stale.unlink()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_ddl(Path(sys.argv[1]))
