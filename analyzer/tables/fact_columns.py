"""What the fact tables have in common: where a fact stands in its file, and columns that several of them have."""

from analyzer.tables.model import Column, Table

STORE = "facts"
"""The Delta table of all of them."""

PLACE = (
    Column("file_id", "string", "digest of the file's bytes, of how it was read and of the reader's version"),
    Column("section", "int", "which dump of the file, counted from 0 (one for each Dumping line)"),
    Column("line", "bigint", "physical line of the file, counted from 1; null for raw files"),
    Column(
        "byte_offset",
        "bigint",
        "where that line begins in the file's text, uncompressed and in UTF-8; in raw files the position of the "
        "batch or entry",
    ),
)

TIMESTAMP = Column("timestamp", "bigint", "the record's or entry's own timestamp, epoch ms")
OFFSET = Column("offset", "bigint", "offset of the record in its partition")
PRODUCER_ID = Column("producer_id", "bigint", "producer id, -1 for none")
PRODUCER_EPOCH = Column("producer_epoch", "int", "producer epoch, -1 for none")
RECORD = Column("record", "int", "which record of the batch at that position, from 0; raw segments only")
TOMBSTONE = Column("tombstone", "boolean", "the record's value is null: the key is deleted")


PLACE_KEY = ("file_id", "section", "byte_offset")
RECORD_KEY = (*PLACE_KEY, "record")


def fact_table(name: str, meaning: str, *columns: Column, key: tuple[str, ...] = PLACE_KEY) -> Table:
    """Return the declaration of a fact table: its place, then its own columns."""
    return Table(name, STORE, key, meaning, PLACE + columns)
