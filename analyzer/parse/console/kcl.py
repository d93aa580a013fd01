r"""Parses records of `__transaction_state` as kcl prints them, over several lines, into rows of `coordinator_states`.

__transaction_state partition 32 offset 672 at [2021-02-22 16:08:16.578]
TxnMetadataKey(0) pay-1
TxnMetadataValue(0)
      ProducerID           1463
      ProducerEpoch        0
      TimeoutMillis        120000
      State                Ongoing
      Topics               __consumer_offsets=>[7] orders=>[0 3]
      LastUpdateTimestamp  1614035297012
      StartTimestamp       1614035297012

An empty line ends a record. Unlike Kafka's formatters, kcl prints partition and offset.
Source: commands/consume/transaction_state.go of kcl.
"""

import re

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.parse.contents.transaction_state import TOMBSTONE
from analyzer.parse.rows import Row, Rows, within
from analyzer.parse.sections import Section

HEAD = re.compile(r"__transaction_state partition (\d{1,9}) offset (\d{1,19}) at \[[^\]]{1,40}\]")
KEY = re.compile(r"TxnMetadataKey\(\d{1,5}\) (.+)")
VALUE = re.compile(r"TxnMetadataValue(?:\(\d{1,5}\)| \(could not decode (\d{1,10}) bytes\))")
_FIELD = re.compile(r"\s+([A-Z]\w{1,40})\s+(.*)")
TOPIC = re.compile(r"([A-Za-z0-9._-]{1,249})=>\[([\d ]*)\]")
_NUMBERS = ("ProducerID", "ProducerEpoch", "TimeoutMillis", "LastUpdateTimestamp", "StartTimestamp")

Place = tuple[int, int]
"""Line and byte offset."""
Placed = tuple[Row, int, Place]
"""A row of `coordinator_states`, its partition, and where it begins in the text."""


class KclRecords:
    """The record whose lines are being taken; `ended` are those whose last line is known."""

    def __init__(self) -> None:
        """Begin outside any record."""
        self.ended: list[Placed] = []
        self._at: tuple[int, int, Place] | None = None
        """Partition and offset of the record, and where it begins."""
        self._id: str | None = None
        self._fields: dict[str, str] | None = None

    def take(self, line: str, place: Place) -> bool:
        """Take the next line; return whether it is one of a record, or ends one."""
        if head := HEAD.fullmatch(line):
            self.end()
            self._at = (int(head[1]), int(head[2]), place)
            return True
        if self._at and (key := KEY.fullmatch(line)):
            self._id = key[1]
            return True
        value = VALUE.fullmatch(line) if self._id is not None else None
        if value:
            self._fields = {}
            if value[1] == "0":
                self._add(TOMBSTONE)
            return True
        field = _FIELD.fullmatch(line) if self._fields is not None else None
        if field and self._fields is not None:
            self._fields[field[1]] = field[2].strip()
            return True
        inside = self._at is not None
        self.end()
        return inside and not line.strip()

    def end(self) -> None:
        """End the record: it is one if all of its value is here."""
        fields = self._fields or {}
        numbers = [fields.get(name, "") for name in _NUMBERS]
        if self._id is not None and fields.get("State") and all(re.fullmatch(r"-?\d{1,19}", one) for one in numbers):
            producer, epoch, timeout, updated, start = map(int, numbers)
            places = [(topic, some.split()) for topic, some in TOPIC.findall(fields.get("Topics", ""))]
            self._add(
                (
                    False,
                    None,
                    within(producer, "bigint"),
                    within(epoch, "int"),
                    within(timeout, "bigint"),
                    fields["State"],
                    sorted(f"{topic}-{number}" for topic, some in places for number in some),
                    within(updated, "bigint"),
                    within(start, "bigint"),
                    *(_number(fields.get(name)) for name in ("PreviousProducerID", "NextProducerID")),
                    _number(fields.get("ClientTransactionVersion")),
                )
            )
        self._at = self._id = self._fields = None

    def _add(self, state: tuple[object, ...]) -> None:
        if self._at:
            partition, offset, place = self._at
            row = ("coordinator_states", (within(offset, "bigint"), None, self._id, *state))
            self.ended.append((row, partition, place))
        self._id = self._fields = None


class KclSections:
    """A section for each partition of `__transaction_state` whose records kcl prints in turn."""

    def __init__(self, first: int = 1) -> None:
        """Begin without any; they are counted from `first` on."""
        self._first = first
        self._sections: dict[int, Section] = {}

    def add(self, records: KclRecords, rows: Rows) -> None:
        """Write the records that have ended."""
        for row, partition, place in records.ended:
            section = self._sections.get(partition)
            if section is None:
                number = self._first + len(self._sections)
                section = Section(number, *place, kind="console", of=(STATE_TOPIC, partition))
                self._sections[partition] = section
            section.batches += 1
            section.records += 1
            rows.add_row(row, (section.number, *place))
        records.ended = []

    def close(self, rows: Rows, last_line: int) -> None:
        """Write the sections' rows."""
        for section in self._sections.values():
            section.close(rows, last_line)


def _number(text: str | None) -> int | None:
    return int(text) if text and re.fullmatch(r"-?\d{1,10}", text) else None
