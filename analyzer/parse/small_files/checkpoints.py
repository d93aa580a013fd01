r"""Reads checkpoint and metadata files into rows of `observations`.

0                       version: 0                               node.id=0
1                       topic_id: OEVznpHbTIGWyfvN3qCJnw         version=1
my-topic 0 57                                                    cluster.id=fnk10_WA6jeiHPg9EMdjeA
"""

import re
from collections.abc import Iterator

from analyzer.parse.answers.told import Observation
from analyzer.parse.rows import Rows, within
from analyzer.parse.sections import Section, close_file
from analyzer.parse.stream import Lines
from analyzer.parse.unclaimed import Unclaimed

OFFSET_FILES = {
    "replication-offset-checkpoint": "high_watermark",
    "recovery-point-offset-checkpoint": "recovery_point",
    "cleaner-offset-checkpoint": "cleaner_checkpoint",
    "log-start-offset-checkpoint": "log_start",
}
LEADER_EPOCHS = "leader-epoch-checkpoint"

_NUMBER = re.compile(r"\d{1,10}")
_EPOCH = re.compile(r"(-?\d{1,10})\s+(-?\d{1,19})")
_OFFSET = re.compile(r"(\S+)\s+(\d{1,10})\s+(-?\d{1,19})")
_TOPIC_ID = re.compile(r"topic_id: ([A-Za-z0-9_-]{22})")
_PROPERTY = re.compile(r"(broker|node|cluster)\.id\s*[=:]\s*(\S+)")
_OTHER_METADATA = re.compile(r"#.*|!.*|version: \d+|(?:version|directory\.id)\s*[=:].*|\s*")


def read_checkpoint(lines: Lines, rows: Rows, name: str) -> Iterator[None]:
    """Read a checkpoint file: version, number of entries, one entry a line; its file name tells which it is."""
    section = Section(0, 1, 0, kind="checkpoint")
    unclaimed = Unclaimed()
    stated: int | None = None
    while not lines.ended:
        text = lines.text()
        observation = None if lines.number <= 2 else _checkpoint_entry(name, text)  # noqa: PLR2004 - header lines
        if observation and (lines.whole or lines.number > (stated or 0) + 2):
            rows.add_row(("observations", observation), (0, lines.number, lines.offset))
            section.batches += 1
        elif lines.number <= 2 and _NUMBER.fullmatch(text):  # noqa: PLR2004 - header lines
            stated = int(text)
        elif text.strip():
            unclaimed.add(lines, "no entry of a checkpoint file", maybe_text=False)
        lines.next()
        yield
    if stated is not None and section.batches != stated:
        section.cut(f"{section.batches} of the {stated} entries that the file should have")
    unclaimed.resolve(rows, section, text_allowed=False)
    close_file(section, rows, lines)


def read_metadata(lines: Lines, rows: Rows) -> Iterator[None]:
    """Read partition.metadata or meta.properties."""
    section = Section(0, 1, 0, kind="metadata")
    unclaimed = Unclaimed()
    while not lines.ended:
        text = lines.text()
        observation = _metadata_entry(text)
        if observation:
            rows.add_row(("observations", observation), (0, lines.number, lines.offset))
            section.batches += 1
        elif not _OTHER_METADATA.fullmatch(text):
            unclaimed.add(lines, "no property of Kafka's", maybe_text=False)
        lines.next()
        yield
    unclaimed.resolve(rows, section, text_allowed=False)
    close_file(section, rows, lines)


def _checkpoint_entry(name: str, text: str) -> Observation | None:
    if name == LEADER_EPOCHS:
        match = _EPOCH.fullmatch(text.strip())
        start = match and within(int(match[2]), "bigint")
        return match and ("leader_epoch", None, None, None, start, int(match[1]), None)
    match = _OFFSET.fullmatch(text.strip())
    if match is None or name not in OFFSET_FILES:
        return None
    partition, offset = within(int(match[2]), "int"), within(int(match[3]), "bigint")
    return (OFFSET_FILES[name], match[1], partition, None, offset, None, None)


def _metadata_entry(text: str) -> Observation | None:
    topic_id = _TOPIC_ID.fullmatch(text.strip())
    if topic_id:
        return ("topic_id", None, None, None, None, None, topic_id[1])
    match = _PROPERTY.fullmatch(text.strip())
    if match is None:
        return None
    if match[1] == "cluster":
        return ("cluster_id", None, None, None, None, None, match[2])
    broker = int(match[2]) if re.fullmatch(r"-?\d{1,10}", match[2]) else None
    return ("broker_id", None, None, None, broker, None, None)
