"""The stored tables as a Mermaid diagram: each with its key, and an arrow to those whose key it has."""

from analyzer.tables import STORES, TABLES, Table

SHOWN = ("catalog", "results", "lookups", "facts")
THINGS = ("captures", "capture_files", "files", "sections", "partition_health", "log_txns", "id_txns")
"""Tables that have one row for each thing that rows of other tables are about."""


def picture() -> str:
    """One diagram for each Delta table of a case."""
    parts = []
    for store in SHOWN:
        own = STORES[store]
        lines = [f"`{store}`", "", "```mermaid", "erDiagram"]
        for table in own:
            lines += [f"  {table.name} {{", *(f"    {_type(table, name)} {name}" for name in table.key), "  }"]
        for table in own:
            lines += [f'  {other.name} ||--o{{ {table.name} : "{", ".join(other.key)}"' for other in nearest(table)]
        parts.append("\n".join([*lines, "```"]))
    return "\n\n".join(parts) + "\n"


def _type(table: Table, name: str) -> str:
    kind = next(one.type for one in table.columns if one.name == name)
    return kind.replace("<", "_").replace(">", "")


def nearest(table: Table) -> list[Table]:
    """The things that a row of this table names, without those that another of them names, too."""
    held = [TABLES[name] for name in THINGS if _holds(table, TABLES[name])]
    return [one for one in held if not any(_holds(other, one) for other in held)]


def _holds(table: Table, other: Table) -> bool:
    """Whether a row of a table has the key of a thing, and is no such thing itself."""
    return table is not other and set(other.key) <= set(table.names) and set(other.key) != set(table.key)
