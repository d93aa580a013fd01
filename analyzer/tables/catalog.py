"""The catalog tables: which files a capture has, and of which the case already holds the facts."""

import dataclasses

from analyzer.tables.model import Column, Table

STORE = "catalog"

TEXT_KINDS = frozenset({"dump", "console", "checkpoint", "metadata", "admin", "broker_log", "stderr"})
"""Kinds of text files that a reader exists for."""
RAW_SEGMENTS = frozenset({"segment", "transaction_segment", "offsets_segment"})
"""Kinds of raw segments that have transactions; those of the internal topics are opened to their records."""
RAW_KINDS = RAW_SEGMENTS | {"metadata_segment", "metadata_checkpoint", "snapshot", "txnindex"}
"""Kinds of raw files that a reader exists for."""

UNREAD_KINDS = {
    "unknown_text": "no reader knows this text, which has words of Kafka's",
    "unknown_bytes": "it begins like a record batch, but has no name of a segment",
    "replaced": "of a segment that the cleaner replaced, or did not finish: its broker deletes it at its start",
    "redpanda_segment": "a segment of Redpanda, whose form is its own and not read",
    "packed": "it is packed in a way that is not read: unpack it",
    "index": "an index of offsets or times: segments hold all it says",
    "folder": "a folder of the file system that Kafka does not use",
    "broker_file": "a file that Kafka keeps for itself, without a word on transactions",
    "configuration": "a configuration that is not read: call that of a broker server.properties",
    "other": "no file of Kafka's",
    "empty": "it is empty",
}
"""Kinds of files that no reader opens, with why."""
_AS_PRINTED = "the output as Kafka's tool printed it; if the file is nothing of Kafka's, take it away"
MAY_MATTER = {
    "unknown_text": _AS_PRINTED,
    "unknown_bytes": _AS_PRINTED,
    "redpanda_segment": (
        "what its brokers answer: rpk cluster txn describe-producers --all, rpk cluster txn describe --print-partitions"
    ),
    "packed": "the same, unpacked",
}
"""Those among them that may hold evidence of transactions, with what to fetch instead."""

NO_REPLICA = "-"
"""Label of a replica that neither folders nor capture.toml name."""

CAPTURE = Column("capture", "string", "name of the capture")
BEATEN = "end of the controllers' log in these files"
"""Source of a capture's moment where that log shows that its brokers knew nothing of what somebody told."""
TOLD_MOMENTS = frozenset({"flag", "capture.toml", BEATEN})
"""Sources of a capture's moment up to which its files show everything, though nothing was written."""
PATH = Column("path", "string", "path of the file, relative to the PATH given on the command line")
FILE_ID = Column("file_id", "string", "digest of the file's bytes, of how it was read and of the reader's version")

CAPTURES = Table(
    "captures",
    STORE,
    ("capture",),
    "One collection of files, taken at one time.",
    (
        CAPTURE,
        Column("root", "string", "the PATH or PATHs given, joined by a newline"),
        Column("captured_at", "bigint", "when it was taken, epoch ms; null if neither flag nor manifest says"),
        Column("captured_at_source", "string", "flag or capture.toml"),
        Column("kafka_version", "string", "brokers' version, from capture.toml"),
        Column("manifest", "string", "the rest of capture.toml as JSON"),
    ),
)

CAPTURE_FILES = Table(
    "capture_files",
    STORE,
    ("capture", "path"),
    "One file of a capture, or a segment known to be on a broker, which then has no file_id: how it is read, and where "
    "its folders place it.",
    (
        CAPTURE,
        PATH,
        FILE_ID,
        Column("absolute_path", "string", "where the file was read"),
        Column(
            "file_kind",
            "string",
            "dump, console, checkpoint, metadata, admin, broker_log, stderr, segment, transaction_segment, "
            "offsets_segment, metadata_segment, metadata_checkpoint, snapshot, txnindex, archive, manifest, settings, "
            "set_aside, and of what is not read: unknown_text, unknown_bytes, replaced, redpanda_segment, packed, "
            "index, folder, broker_file, configuration, other, empty",
        ),
        Column("bytes", "bigint", "size on disk"),
        Column("compression", "string", "gzip, zstd or empty"),
        Column(
            "encoding",
            "string",
            "utf-8, utf-8-sig or utf-16; ` escaped`, ` cr`, ` page` or ` searched` if its line ends are written so; "
            "`, wrapped` if something stands before its lines",
        ),
        Column("folder_replica", "string", "broker that the folders name"),
        Column("folder_topic", "string", "topic that the folders name"),
        Column("folder_partition", "int", "partition that the folders name"),
        Column("folder_segment", "bigint", "base offset in the file's name"),
        Column("given_replica", "string", "replica that capture.toml gives; it wins over everything else"),
        Column("given_topic", "string", "topic that capture.toml gives"),
        Column("given_partition", "int", "partition that capture.toml gives"),
        Column("taken_at", "bigint", "when its archive was begun, epoch ms; null where no manifest.txt tells"),
        Column("copied_at", "bigint", "as of when it shows its broker, epoch ms; null where no manifest.txt tells"),
        Column("problem", "string", "why the file could not be read, null if nothing was wrong"),
    ),
)

FILES = Table(
    "files",
    STORE,
    ("file_id",),
    "One content whose facts are stored; written last, so that facts without this row are a crash's leftovers.",
    (
        FILE_ID,
        Column("reader_version", "int", "FACTS_VERSION of the reader"),
        Column("bytes", "bigint", "size on disk"),
        Column("ingested_ms", "bigint", "when it was read, epoch ms"),
    ),
)

CATALOG = (CAPTURES, CAPTURE_FILES, FILES)


@dataclasses.dataclass(frozen=True, slots=True)
class KeyReading:
    """Which records' keys are read: those of `topics`. With `whole` the keys' text is stored, else only a sample."""

    topics: tuple[str, ...] = ()
    given_topic: str | None = None
    """The topic that capture.toml gives the file; it wins over the file's Dumping lines."""
    folder_topic: str | None = None
    whole: bool = False

    def wanted(self, dumped_topic: str | None = None) -> bool:
        """Return whether a section's keys are read; `dumped_topic` is what its Dumping line names."""
        return (self.given_topic or dumped_topic or self.folder_topic) in self.topics


NO_KEYS = KeyReading()


@dataclasses.dataclass(frozen=True, slots=True)
class Source:
    """A file to read: what a parse task needs of its `capture_files` row, and how to read it."""

    file_id: str
    absolute_path: str
    file_kind: str
    bytes: int
    compression: str
    encoding: str
    first_byte: int = 0
    stop_byte: int | None = None
    """The part of a raw segment to read: the batches that begin in it; None stands for the file's end."""
    check_crc: bool = True
    """Whether the checksums of its batches are computed."""
    keys: KeyReading = NO_KEYS
