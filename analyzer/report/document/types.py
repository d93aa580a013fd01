"""The JSON document of a capture as types: what the pipeline writes and every report reads.

`schemas/report.schema.json` says the same with the meaning of every field. A key that is not required may also be null:
both mean that the capture does not tell. Times are epoch milliseconds, and inside a sentence ISO 8601 in UTC:
`2026-11-21T09:30:42.123Z`; `moments` tells where these are.
"""

from typing import Literal, NotRequired, TypedDict

from analyzer.report.document.action_types import Action, KnownBug, Owner, Readers, Sure, Way
from analyzer.report.document.controller_log import ControllerLog
from analyzer.report.document.fetch_rows import Fetch, Rescuable
from analyzer.report.document.group_rows import Expiry, GroupImpact, PendingPosition
from analyzer.report.document.keyed_rows import KeyedTopic, Threshold
from analyzer.report.document.leftover_types import Failure, NotRead, Omitted, Unparsed
from analyzer.report.document.log_rows import LogLines
from analyzer.report.document.neighbours import Strip
from analyzer.report.document.routed import Routing
from analyzer.report.document.timelines import GrowthPoint, Incident
from analyzer.tables.moments import Moment

UNDER_WAY = frozenset({"in_flight", "completing"})
"""Verdicts on open transactions that end by themselves."""
SEVERITIES = {"critical": 0, "warning": 1, "info": 2}
"""The order of findings, the gravest first."""


class Capture(TypedDict):
    """The capture that is judged."""

    name: str
    captured_at: int | None
    captured_at_source: str | None
    kafka_version: NotRequired[str | None]
    cluster_ids: NotRequired[list[str]]
    redpanda: NotRequired[bool]


class Step(TypedDict):
    """One sentence of the explanation and the evidence it rests on, as indices into the finding's evidence."""

    text: str
    evidence: list[int]


class Column(TypedDict):
    """What a table of findings of one kind says of one of them, beside what every finding is about."""

    head: str
    value: str


class Evidence(TypedDict):
    """A line of a file, whole, or a byte position in one and what is there."""

    file: str
    line: NotRequired[int | None]
    position: NotRequired[int | None]
    text: str
    label: NotRequired[str | None]


class Waiting(TypedDict):
    """What waits from the last stable offset on."""

    offsets: int
    records: int | None
    bytes: int | None
    transactions: int | None
    since: int | None
    for_ms: int | None
    groups: list[str] | None
    text: NotRequired[str | None]


Finding = TypedDict(
    "Finding",
    {
        "id": str,
        "code": str,
        "name": str,
        "severity": Literal["info", "warning", "critical"],
        "confidence": Literal["certain", "likely", "possible"],
        "topic": str | None,
        "partition": int | None,
        "replica": str | None,
        "transactional_id": str | None,
        "producer_id": int | None,
        "producer_epoch": int | None,
        "first_offset": int | None,
        "last_offset": int | None,
        "headline": str,
        "explanation": str,
        "steps": NotRequired[list[Step] | None],
        "cause": list[str],
        "alternatives": NotRequired[list[int] | None],
        "refuted_by": str,
        "else": NotRequired[str | None],
        "settled_by": NotRequired[str | None],
        "certainty": NotRequired[list[Sure] | None],
        "known_bugs": NotRequired[list[KnownBug] | None],
        "owner": NotRequired[Owner | None],
        "also_waits": NotRequired[list[str] | None],
        "prevention": NotRequired[list[str] | None],
        "action": Action,
        "moments": NotRequired[list[Moment] | None],
        "evidence": list[Evidence],
        "consequences": list[str],
        "folded_under": NotRequired[str | None],
        "label": NotRequired[str | None],
        "columns": NotRequired[list[Column] | None],
        "silent": NotRequired[bool | None],
        "readers": NotRequired[Readers | None],
        "alert_line": NotRequired[str | None],
        "group": NotRequired[str | None],
        "key": NotRequired[str | None],
        "strip": NotRequired[Strip | None],
        "waiting": NotRequired[Waiting | None],
        "compacted": NotRequired[bool | None],
        "first_seen": NotRequired[int | None],
        "status": NotRequired[str | None],
    },
)
"""Something wrong, with its evidence. `else` is a keyword of Python, hence no class."""


class OpenTransaction(TypedDict):
    """A transaction that the log leaves open."""

    topic: str
    partition: int
    replica: str
    authority: bool
    producer_id: int
    producer_epoch: int
    transactional_id: NotRequired[str | None]
    first_offset: int
    last_offset: int
    verdict: str
    finding: NotRequired[str | None]
    why: NotRequired[str | None]
    moments: NotRequired[list[Moment] | None]
    fetch: NotRequired[str | None]
    highest_data_epoch: NotRequired[int | None]
    coordinator_epoch: NotRequired[int | None]
    id_state: NotRequired[str | None]
    timeout_at: NotRequired[int | None]
    without_timeout_since: NotRequired[int | None]
    running_since: NotRequired[int | None]
    disputed: NotRequired[bool | None]
    unled_by: NotRequired[str | None]
    unled_since: NotRequired[int | None]
    held_by: NotRequired[list[str] | None]
    may_lead: NotRequired[list[str] | None]


class Partition(TypedDict):
    """The bounds of one replica of a partition."""

    topic: str
    partition: int
    replica: str
    authority: bool
    led_by: NotRequired[str | None]
    leader: NotRequired[str | None]
    replicas: NotRequired[list[str] | None]
    isr: NotRequired[list[str] | None]
    contested: NotRequired[bool | None]
    has_log: NotRequired[bool | None]
    log_start_offset: int
    lso: int
    high_watermark: NotRequired[int | None]
    log_end_offset: int
    blocked_records: int | None
    blocked_bytes: int | None
    blocked_since: NotRequired[int | None]
    growth: NotRequired[list[GrowthPoint] | None]


class Note(TypedDict):
    """Something the capture does not show."""

    kind: str
    topic: NotRequired[str | None]
    partition: NotRequired[int | None]
    replica: NotRequired[str | None]
    file: NotRequired[str | None]
    number: NotRequired[int | None]
    note: str
    fetch: NotRequired[str | None]


StateReach = TypedDict(
    "StateReach",
    {"from": int, "to": int, "partitions": int, "of": int, "untold": NotRequired[bool | None], "old": bool},
)
"""The times that the records of __transaction_state span, and how many of its partitions; `old`: it ends too early."""


class Coverage(TypedDict):
    """What was read, and what is missing."""

    files: int
    bytes: int
    replicas: list[str]
    notes: list[Note]
    not_read: NotRequired[list[NotRead] | None]
    state: NotRequired[StateReach | None]
    engine: NotRequired[str]


class DetectorRun(TypedDict):
    """What one detector did."""

    code: str
    name: str
    status: Literal["ran", "skipped", "failed"]
    reason: NotRequired[str | None]
    findings: int


class Document(TypedDict):
    """A capture, judged."""

    version: Literal[1]
    case: str
    capture: Capture
    verdict: Literal["clean", "findings", "inconclusive", "unusable"]
    error: NotRequired[Failure | None]
    findings: list[Finding]
    incidents: NotRequired[list[Incident] | None]
    open_transactions: list[OpenTransaction]
    partitions: list[Partition]
    rescuable: NotRequired[list[Rescuable] | None]
    routing: Routing
    group_impact: NotRequired[list[GroupImpact] | None]
    pending_positions: NotRequired[list[PendingPosition] | None]
    expiry: NotRequired[list[Expiry] | None]
    keyed_topics: NotRequired[list[KeyedTopic] | None]
    thresholds: NotRequired[list[Threshold] | None]
    coverage: Coverage
    controller: NotRequired[ControllerLog | None]
    fetch: NotRequired[list[Fetch] | None]
    detector_runs: list[DetectorRun]
    unparsed: Unparsed
    log_lines: NotRequired[LogLines | None]
    omitted: NotRequired[Omitted | None]
    reach: NotRequired[Way | None]
