"""What to collect next, as commands for each broker and as a section: the smallest useful set first."""

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from analyzer.report.actions.steps import Step, commands
from analyzer.report.document.fetch_rows import Fetch
from analyzer.report.document.types import Document
from analyzer.report.outline.parts import Part, Section, Text
from analyzer.report.outline.sections import omitted
from analyzer.report.sentences.cells import visible
from analyzer.report.sentences.commands import NOT_KEPT, place_of
from analyzer.report.sentences.quantities import counted, size
from analyzer.tables.fetch_steps import SETTLING, STEPS

_SAFE = re.compile(r"[A-Za-z0-9._-]{1,249}-\d+(?:/\d{20}\.log)?")
"""Paths of Kafka's own making: no other is put into a command or a list."""
REASONS = 3
PRINTED = 12
"""Files of one broker that a command names; more of them come from a list in a file."""


@dataclasses.dataclass(frozen=True, slots=True)
class Batch:
    """The files of one step: what they are for, and by broker (empty where none is named) what to collect there."""

    step: int
    purpose: str
    files: dict[str, list[Fetch]]

    @property
    def amount(self) -> str:
        """How much it is, in words."""
        rows = [row for rows in self.files.values() for row in rows]
        known = sum(row.get("bytes") or 0 for row in rows)
        return counted(len(rows), "file") + (f", {size(known)}" if known else "")


def batches(rows: Iterable[Fetch]) -> list[Batch]:
    """Return the rows as batches, one for each step that has any."""
    steps: dict[int, dict[str, list[Fetch]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if _SAFE.fullmatch(row["path"]):
            steps[row["step"]][row.get("broker") or ""].append(row)
    return [Batch(step, STEPS[step], dict(files)) for step, files in sorted(steps.items())]


def to_collect(document: Document) -> Section:
    """Return the steps of collecting, the smallest useful set first; what nothing open depends on is only counted."""
    found = batches(document.get("fetch") or [])
    settling = [batch for batch in found if is_settling(batch)]
    return Section("To collect next, the smallest useful set first", (tuple(_parts(found, settling, document)),))


def _parts(found: list[Batch], settling: list[Batch], document: Document) -> Iterator[Part]:
    for number, batch in enumerate(settling, 1):
        given = commands(*commands_of(batch, place_of(document)))
        yield Step("look", f"{batch.amount}: {batch.purpose}", given, answers=reasons(batch), number=number)
    if settling:
        kept = () if document["case"] else (NOT_KEPT,)
        again = commands((f"txn-forensics run *more-*.tar.gz {place_of(document)}", ""))
        text = "then add what was collected to this capture:"
        yield Step("look", text, again, answers=kept, number=len(settling) + 1)
    for batch in found:
        if not is_settling(batch):
            yield Text(f"not needed for what is open: {batch.amount} ({batch.purpose})", "quiet")
    left = omitted(document, "fetch")
    if left:
        yield Text(f"and {left} more files, not listed", "quiet")


def list_lines(rows: Sequence[Fetch], last_step: int) -> Iterator[str]:
    """Yield the lines of a list for `collect.sh --files`, which passes over comments; up to and with this step."""
    yield "# Save this list and run, on each broker that it names: sh collect.sh --files LIST"
    for batch in batches(rows):
        if batch.step > last_step:
            yield f"# not listed, step {batch.step}: {batch.purpose}: {batch.amount}"
            continue
        yield f"# step {batch.step}: {batch.purpose}: {batch.amount}"
        yield from (path for broker, files in sorted(batch.files.items()) for path in _paths(broker, files))


def commands_of(batch: Batch, kept: str) -> list[tuple[str, str]]:
    """Return a command for each broker with the broker's name; many files come from a list that `fetch` writes."""
    if any(len(files) > PRINTED for files in batch.files.values()):
        asked = f"txn-forensics fetch {kept} --step {batch.step} > missing.txt"
        return [(asked, "here"), (f"sh collect.sh --files missing.txt -o more-{batch.step}.tar.gz", _brokers(batch))]
    return [
        (_command(broker, files, batch.step), f"on broker {broker}" if broker else "on the brokers that have them")
        for broker, files in sorted(batch.files.items())
    ]


def reasons(batch: Batch) -> tuple[str, ...]:
    """Return why the first files of a batch are worth it, one sentence for each place."""
    rows = [row for rows in batch.files.values() for row in rows]
    told = dict.fromkeys(f"{row['topic']}-{row['partition']}: {visible(row['why'])}" for row in rows)
    return tuple(told)[:REASONS]


def is_settling(batch: Batch) -> bool:
    """Return whether what is open depends on it."""
    return batch.step in SETTLING


def _command(broker: str, files: Sequence[Fetch], step: int) -> str:
    names = " ".join(_paths("", files))
    output = f"broker-{broker}-more-{step}.tar.gz" if broker.isdecimal() else f"more-{step}.tar.gz"
    return f"printf '%s\\n' {names} | sh collect.sh --files - -o {output}"


def _paths(broker: str, files: Iterable[Fetch]) -> list[str]:
    place = f"broker-{broker}/" if broker.isdecimal() else ""
    return [place + row["path"] for row in files]


def _brokers(batch: Batch) -> str:
    named = sorted(broker for broker in batch.files if broker)
    return "on " + (f"{'broker' if len(named) == 1 else 'brokers'} {', '.join(named)}" if named else "each broker")
