"""How derived tables are declared: as plain data, like the stored ones, from columns that several of them share."""

from analyzer.lifecycles.placing import REF_TYPE
from analyzer.tables import TABLES, Column, Table
from analyzer.tables.catalog import CAPTURE, PATH
from analyzer.tables.model import DERIVED
from analyzer.tables.results import PARTITION, PRODUCER_ID, REPLICA, TOPIC

PARTITION_COLUMNS = (CAPTURE, TOPIC, PARTITION)
"""The columns of `placing.PARTITION`."""
LOG_COLUMNS = (*PARTITION_COLUMNS, REPLICA)
"""The columns of `placing.LOG`."""
PRODUCER_COLUMNS = (*LOG_COLUMNS, PRODUCER_ID)
"""The columns of `placing.PRODUCER`."""
LOG_OF_FILE = (
    Column("log_topic", "string", "topic of the file's own partition, null where it belongs to none"),
    Column("log_partition", "int", "the file's own partition"),
)
"""The place of a fact that has a topic and partition of its own."""
GROUP = Column("group", "string", "consumer group")
RECORDS = Column("records", "bigint", "records in these batches")


def derived(name: str, key: tuple[str, ...], meaning: str, *columns: Column) -> Table:
    """Return the declaration of a derived table; `key` names one row."""
    return Table(name, DERIVED, key, meaning, columns)


def picked(table: Table, *names: str) -> tuple[Column, ...]:
    """Return these columns of a table, in this order. Raises KeyError for a column that it does not have."""
    by_name = {column.name: column for column in table.columns}
    return tuple(by_name[name] for name in names)


def fact(table: str, *names: str) -> tuple[Column, ...]:
    """Return these columns of a stored table."""
    return picked(TABLES[table], *names)


def placed_fact(name: str, table: str, *place: Column) -> Table:
    """Return the declaration of a fact table in its place (`placing.placed`); `place` is what it says of its log."""
    stored = TABLES[table]
    segment = Column("segment", "bigint", "base offset of the segment that the file belongs to")
    columns = (*stored.columns, CAPTURE, REPLICA, segment, PATH, *place)
    return derived(name, ("capture", "path", *stored.key), f"{stored.meaning[:-1]}, and where it lies.", *columns)


def ref_column(name: str, meaning: str) -> Column:
    """Return a column that points to a line, or to a place in a raw file (`placing.ref`)."""
    return Column(name, REF_TYPE, meaning)


def struct(*fields: str) -> str:
    """Return the type of a struct; a field is `name:type`, `:ref` is short for the type of a reference."""
    return f"struct<{','.join(field.replace(':ref', f':{REF_TYPE}') for field in fields)}>"


def rows(*fields: str) -> str:
    """Return the type of a list of such structs."""
    return f"array<{struct(*fields)}>"
