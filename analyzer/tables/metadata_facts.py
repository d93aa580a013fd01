"""The fact table of the controllers' log: the records of `__cluster_metadata`, of every type and version."""

from analyzer.tables.fact_columns import RECORD, RECORD_KEY, fact_table
from analyzer.tables.model import Column

METADATA_RECORDS = fact_table(
    "metadata_records",
    "One record of __cluster_metadata, of the log or of a checkpoint.",
    Column("offset", "bigint", "offset of the record in its partition; in a checkpoint its place in the file"),
    Column("timestamp", "bigint", "time of the controller that appended it, epoch ms; of a checkpoint its own"),
    Column("quorum_epoch", "int", "epoch of the quorum leader that appended it"),
    Column("is_control", "boolean", "a control record of the quorum itself"),
    Column("type_id", "int", "type of the record; control records have types of their own"),
    Column("record_type", "string", "name of the type, as the dump tool prints it; UNKNOWN(n) for one not known"),
    Column("version", "int", "version of the value"),
    Column("fields", "string", "its fields as JSON, named as the dump tool names them; null if they were not read"),
    Column("whole", "boolean", "no field is missing; false where the tool that printed it left newer ones out"),
    Column("undecoded", "string", "why the fields were not read"),
    RECORD,
    key=RECORD_KEY,
)
