"""What a detector is: its code, the tables that it reads, its page, how it finds and how it explains."""

import dataclasses
import importlib
from collections.abc import Callable, Mapping
from typing import Any, Literal

from pyspark.sql import DataFrame

from analyzer.detectors.causes import Cause
from analyzer.detectors.checks import Check
from analyzer.tables.action_words import ActionWord, Impact
from analyzer.tables.moments import foreign

Severity = Literal["info", "warning", "critical"]
Confidence = Literal["certain", "likely", "possible"]
ActionKind = Literal["abort", "save_then_abort", "rescue", "wait", "fetch", "none"]


@dataclasses.dataclass(frozen=True, slots=True)
class Ref:
    """A line of a file of the capture; `byte_offset` is where it starts in the file's text.

    In a raw file, `line` is None, `byte_offset` is the position of a batch or entry, `record` the record in the batch.
    """

    path: str
    line: int | None
    byte_offset: int
    record: int | None = None


def ref_of(told: Mapping[str, Any]) -> Ref:
    """Return a reference of a row, which may lack the line: JSON leaves out what is null."""
    return Ref(**{"line": None, **told})


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """One sentence of an explanation, a template, with the line that proves it, if there is one."""

    text: str
    ref: Ref | None = None
    label: str = ""


def step_if(told: object, text: str, ref: Ref | None = None) -> tuple[Step, ...]:
    """Return one step, none where there is nothing to tell."""
    return (Step(text, ref),) if told else ()


@dataclasses.dataclass(frozen=True, slots=True)
class Action:
    """What to do, in a word and in one sentence; the report writes the steps and commands of an abort.

    `word` is what tables, cards and alerts say: the summary begins with the same. `discards`: records that an abort
    discards; `loses_records`: those of them that the producer may believe are committed. `state`: the coordinator's
    state of the id that an abort presumes. `check` is for actions that end nothing. `decided`: COMMIT, ABORT or
    nothing, what the coordinator decided of these records; None where the files do not tell.
    """

    kind: ActionKind
    word: ActionWord
    summary: str
    check: Check | None = None
    state: str | None = None
    warning: str | None = None
    loses_records: int | None = None
    discards: int | None = None
    decided: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Readers:
    """What readers were given, and how many records of theirs that is about; None where that is not known."""

    impact: Impact
    records: int | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Sure:
    """How sure one part of a finding is: the answer, what it rests on, and the line that shows it."""

    question: Literal["it hangs", "why", "an abort is safe"]
    answer: Literal["certain", "likely", "possible", "yes", "no", "ask"]
    because: str
    ref: Ref | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Explanation:
    """A finding in words, which are templates (`tables.moments`); `label` is its short form for tables."""

    headline: str
    label: str
    confidence: Confidence
    steps: tuple[Step, ...]
    cause: tuple[Cause | str, ...]
    refuted_by: str
    action: Action
    otherwise: Cause | str | None = None
    settled_by: str | None = None
    certainty: tuple[Sure, ...] = ()
    severity: Severity | None = None
    """The severity of this finding, if it differs from its detector's."""
    since_ms: int | None = None
    """A time that a broker set and that the cause cannot precede; None: as old as the topic."""
    readers: Readers | None = None
    """What readers were given wrongly; None if nothing is known to have reached them."""
    columns: tuple[tuple[str, object], ...] = ()
    """Heads and values that a table of such findings has beside what every finding is about."""


@dataclasses.dataclass(frozen=True, slots=True)
class Way:
    """A way to find a fault: what it reads, what it finds, and how it says that.

    `reads` names the derived tables whose rows may be faults, `beside` those they are compared with: `find` takes both
    in this order, is not called where all of `reads` are empty, and returns rows whose columns are the fields of
    `evidence` plus `capture`. `explain` puts one of them into words, without Spark. `needs` names the facts without
    which it finds nothing.
    """

    reads: tuple[str, ...]
    evidence: type[Any]
    find: Callable[..., DataFrame]
    explain: Callable[[Any], Explanation]
    beside: tuple[str, ...] = ()
    needs: tuple[str, ...] = ("batches", "coordinator_states")


@dataclasses.dataclass(frozen=True, slots=True)
class Detector:
    """One detector, whole: the module that `find` of its way is in.

    `way` is how the fault is found; `others` are further ways to the same, such as pasted answers of tools instead of
    files: without what all of them need the detector is skipped. `verdict`: a finding of this detector is the verdict
    of the open transaction that it is about. `example` gives a worked example that `explain CODE` prints below the
    page.
    """

    code: str
    severity: Severity
    way: Way
    verdict: bool = False
    example: Callable[[], str] | None = None
    others: tuple[Way, ...] = ()

    @property
    def name(self) -> str:
        """The name of its module."""
        return self.way.find.__module__.rpartition(".")[2]

    @property
    def page(self) -> str:
        """The docstring of its module."""
        return importlib.import_module(self.way.find.__module__).__doc__ or ""

    @property
    def ways(self) -> tuple[Way, ...]:
        """All ways to find it, its own first."""
        return (self.way, *self.others)


def evidence_from(kind: type[Any], row: dict[str, Any]) -> Any:  # noqa: ANN401 - each detector has its own evidence
    """Return a detector's evidence from a row, with every field of type Ref made one; what the row lacks is None.

    Its strings are for templates (`foreign`): no name can pass for a moment.
    """
    told = {field.name: row.get(field.name) for field in dataclasses.fields(kind)}
    return kind(**{name: ref_of(one) if isinstance(one, dict) else foreign(one) for name, one in told.items()})
