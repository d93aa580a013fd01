"""The tables of copies of a log that part from the judged one (KIP-101), or differ from it in what is open."""

from analyzer.lifecycles.declaring import LOG_COLUMNS, PRODUCER_COLUMNS, derived, picked, ref_column
from analyzer.lifecycles.placing import PRODUCER
from analyzer.tables import Column

STANDING = (
    Column("authority", "boolean", "this replica is the one judged"),
    Column("led_by", "string", "why the broker of this replica is taken for the leader, null where nothing tells"),
    Column("tied", "boolean", "nothing here says which of this and other replicas leads"),
    Column("absent", "array<string>", "brokers that may lead and whose copies are not here, null for none"),
)
"""What `logs` say of who leads, by `standing.with_standing`."""

DIVERGENCES = derived(
    "divergences",
    ("capture", "topic", "partition"),
    "One partition whose replicas differ: where a copy parts from the judged one.",
    *LOG_COLUMNS,
    Column("authority_replica", "string", "the replica that is judged"),
    Column("first_offset", "bigint", "first offset where the two differ"),
    Column("last_offset", "bigint", "last offset where the two differ; of parted histories the later end"),
    Column("own_last_offset", "bigint", "last offset that only this copy has"),
    Column("batches", "bigint", "batches that differ"),
    Column("markers", "bigint", "markers among them"),
    Column("leader_epoch", "int", "leader epoch of the first of them"),
    ref_column("first_ref", "the first of them"),
    Column("apart", "boolean", "under one leader epoch they differ from the first offset of both on: two topics"),
    Column("new_epoch", "bigint", "leader epoch of the judged replica that they overrun, null for differing bytes"),
    Column("start_offset", "bigint", "where that leader epoch starts"),
    ref_column("epoch_ref", "the line that says so"),
)

TRUNCATED = derived(
    "truncated",
    ("capture", "topic", "partition"),
    "One partition of which a copy still has data that a truncation took out of the judged one.",
    *LOG_COLUMNS,
    *picked(DIVERGENCES, "new_epoch"),
    Column("first_offset", "bigint", "first offset of that data in the copy"),
    Column("last_offset", "bigint", "last offset of it"),
    Column("records", "bigint", "its records"),
    Column("committed", "bigint", "records of transactions whose COMMIT marker the copy has"),
    Column("plain", "bigint", "records that were written outside of transactions"),
    Column("producers", "bigint", "how many producer ids wrote it"),
    Column("producer_ids", "array<bigint>", "these, those with the most records first; bounded"),
    ref_column("first_ref", "its first batch"),
)

DISPUTED = derived(
    "disputed",
    (*PRODUCER, "first_offset"),
    "One transaction that a replica has open and another one, which may lead just as well, has not.",
    *PRODUCER_COLUMNS,
    Column("first_offset", "bigint", "first offset of the transaction as the broker knows it"),
    Column("not_open_on", "array<string>", "the replicas that do not have it open"),
)
