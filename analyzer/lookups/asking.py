"""What every look-up starts from: how to read the case, the capture in question, and quotes from its files."""

import dataclasses
import functools
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from analyzer.errors import CaseError
from analyzer.kafka.reaching.reach import Reach
from analyzer.parse.quoting import offsets_left, quoted
from analyzer.pipeline.captures import chosen_capture
from analyzer.report.actions.reached import reach_of
from analyzer.storage.reading.tables import Condition, Stored, has_lookups
from analyzer.tables import TABLES

Row = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Asking:
    """A capture of a case, to be asked about."""

    read: Stored
    capture: str
    location: str
    captured_at: int | None

    def rows(self, name: str, *where: Condition, columns: Sequence[str] | None = None) -> list[Row]:
        """Return these rows of a table, of this capture where the table has captures."""
        rows: list[Row] = self.table(name, *where, columns=columns).to_pylist()
        return rows

    @functools.cached_property
    def _small(self) -> dict[str, list[Row]]:
        return {}

    def few(self, name: str, **equal: object) -> list[Row]:
        """Return the rows of a small table with these values; the table is read once."""
        if name not in self._small:
            self._small[name] = self.rows(name)
        return [row for row in self._small[name] if all(row[key] == value for key, value in equal.items())]

    def table(self, name: str, *where: Condition, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the same as an Arrow table."""
        own: list[Condition] = [("capture", "=", self.capture)] if "capture" in TABLES[name].names else []
        return self.read(name, [*own, *where], columns)

    @functools.cached_property
    def places(self) -> list[Row]:
        """The rows of `log_places`: every file and dump, and the log that it belongs to."""
        return self.rows("log_places")

    def placed(self, facts: Iterable[Row], places: Sequence[Row] | None = None) -> list[Row]:
        """Return facts with `place`, their row of `log_places`: of this capture, or of these places of it.

        Two files of the same content, as two copies of a log may have, have the same facts: each stands in both places.
        """
        here = defaultdict(list)
        for place in self.places if places is None else places:
            here[place["file_id"], place["section"]].append(place)
        return [{**fact, "place": place} for fact in facts for place in here[fact["file_id"], fact["section"] or 0]]

    def quote(self, path: str, line: int | None, byte_offset: int | None, record: int | None = None) -> Row | None:
        """Return what stands at this place in a file of the capture: file, line or position, and text."""
        file = self._file(path)
        if file is None or byte_offset is None:
            return None
        return quoted(file, path, line, byte_offset, record)

    @functools.cache  # noqa: B019 - an Asking lives as long as its command
    def _file(self, path: str) -> Row | None:
        return next(iter(self.rows("capture_files", ("path", "=", path), ("file_id", "is not null", None))), None)

    def offsets_left(self, batch: Mapping[str, Any]) -> frozenset[int] | None:
        """Return the offsets of the records that a batch (of `placed`) still has, None where its file does not tell."""
        file = self._file(batch["place"]["path"])
        return None if file is None or batch["byte_offset"] is None else offsets_left(file, batch["byte_offset"])

    @functools.cached_property
    def reach(self) -> Reach:
        """How commands reach the brokers: as options of the analysis told, else as commands in the files do."""
        stored = self.rows("summaries", columns=["document"])[0]["document"]
        return reach_of(json.loads(stored))

    def quote_fact(self, fact: Mapping[str, Any]) -> Row | None:
        """Return what stands at the place of a fact (of `placed`)."""
        return self.quote(fact["place"]["path"], fact["line"], fact["byte_offset"], fact.get("record"))


def asking(read: Stored, name: str | None, location: str) -> Asking:
    """Return how to ask about this capture of a case, by default the newest. Raises CaseError if it cannot be asked."""
    chosen = chosen_capture(read("captures").to_pylist(), name, location)
    judged = read("summaries", [("capture", "=", chosen)], ["captured_at"]).to_pylist()
    if not judged or not has_lookups(read, chosen):
        raise CaseError(
            f"capture {chosen} of {location} was not analyzed, or by a version that stored less.",
            do="txn-forensics analyze --case ...",
        )
    return Asking(read, chosen, location, judged[0]["captured_at"])


def with_moments(row: Row) -> Row:
    """Return a row of `open_transactions` with the moments of its reason as rows; an older version wrote none."""
    return {**row, "moments": json.loads(row["moments"] or "[]")}
