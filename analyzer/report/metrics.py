"""Numbers for Prometheus: what hangs and what waits, as a text file for node_exporter's textfile collector."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from analyzer.report.document.types import UNDER_WAY
from analyzer.report.sentences.open_for_long import is_endless

Row = Mapping[str, Any]
Labels = dict[str, object]
Sample = tuple[Labels, float]

_PREFIX = "txn_forensics"
_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})
_DAY = r"20\d\d(?P<by>[-_.]?)[01]\d(?P=by)[0-3]\d"
_CLOCK = r"[0-2]\d(?:[-_:.]?[0-5]\d){0,2}(?:[.,]\d+)?(?:Z|UTC|[+-]\d\d:?\d\d)?"
_EPOCH = r"1[5-9]\d{8}(?:\d{3})?"
_PARTED = r"(?:date|dt|day|hour|hh|ts|time|year|month|minute)=[\dT:_.-]+Z?"
_TIME = re.compile(rf"[-_.@ ]?(?:{_PARTED}|(?<!\d)(?:{_DAY}(?:[T_ .-]?{_CLOCK})?|{_EPOCH})(?!\d))")
"""A moment in a name: ISO 8601 in its usual spellings, epoch seconds or ms, a folder such as `hour=09`."""

_VERDICTS = ("clean", "findings", "inconclusive", "unusable")


def metrics(documents: Sequence[Row]) -> str:
    """Return the numbers of these documents in Prometheus' text format 0.0.4, each under its case and capture.

    Times are in seconds. A partition's row is that of the replica that is judged. The labels are the same for every
    capture of a schedule: a label that names the hour would make new series each hour, and alerts would resolve and
    fire again. The moment is a value, `captured_at_seconds`.
    """
    series = _series(documents)
    families = (
        ("verdict", "1 for the verdict of the capture, 0 for the others", _verdicts),
        ("captured_at_seconds", "Moment that the capture is judged at, since 1970", _captured),
        ("findings", "Findings by code, severity and confidence", _findings),
        ("hanging_transactions", "Open transactions that are neither in flight nor completing, by verdict", _hanging),
        ("open_without_timeout_seconds", "How long a transaction that no timeout ends is open", _endless),
        ("rescuable_records", "Committed records that only a copy has whose broker will cut them off", _rescuable),
        ("lso_age_seconds", "How long the batch that pins the LSO was there when the capture was taken", _ages),
        ("waiting_records", "Records at and above the LSO", _column("blocked_records")),
        ("lso", "Last stable offset", _column("lso")),
        ("log_end_offset", "Offset of the next record", _column("log_end_offset")),
    )
    lines: list[str] = []
    for name, meaning, read in families:
        samples = [
            ({**own, **labels}, value)
            for one, own in zip(documents, series, strict=True)
            for labels, value in read(one)
        ]
        lines += [f"# HELP {_PREFIX}_{name} {meaning}.", f"# TYPE {_PREFIX}_{name} gauge"]
        for labels, value in samples:
            told = ",".join(f'{label}="{str(of).translate(_ESCAPED)}"' for label, of in labels.items())
            lines.append(f"{_PREFIX}_{name}{{{told}}} {value:.15g}")
    return "\n".join(lines) + "\n"


def _series(documents: Sequence[Row]) -> list[Labels]:
    """Return the labels of each document: its case, and its capture's name without times, unless that names several."""
    stable: list[Labels] = [
        {"case": one.get("case") or "", "capture": without_time(str(one["capture"]["name"]))} for one in documents
    ]
    return [
        own if stable.count(own) == 1 else {**own, "capture": one["capture"]["name"]}
        for one, own in zip(documents, stable, strict=True)
    ]


def without_time(name: str) -> str:
    """Return a capture's name without its moment, and without dates and hours in the names of its folders."""
    return _TIME.sub("", name).strip("-_./ ")


def _verdicts(document: Row) -> Iterator[Sample]:
    for verdict in _VERDICTS:
        yield {"verdict": verdict}, float(document["verdict"] == verdict)


def _captured(document: Row) -> Iterator[Sample]:
    at = document["capture"].get("captured_at")
    if at is not None:
        yield {}, at / 1000


def _findings(document: Row) -> Iterator[Sample]:
    names = ("code", "name", "severity", "confidence")
    counted = Counter(tuple(finding[name] for name in names) for finding in document.get("findings", ()))
    for values, count in sorted(counted.items()):
        yield dict(zip(names, values, strict=True)), count


def _hanging(document: Row) -> Iterator[Sample]:
    opened = document.get("open_transactions", ())
    rows = [row for row in opened if row["authority"] and row["verdict"] not in UNDER_WAY]
    counted = Counter((row["topic"], row["partition"], row["verdict"]) for row in rows)
    for (topic, partition, verdict), count in sorted(counted.items()):
        yield {"topic": topic, "partition": partition, "verdict": verdict}, count


def _endless(document: Row) -> Iterator[Sample]:
    at = document["capture"].get("captured_at")
    for row in document.get("open_transactions", ()):
        since = row.get("without_timeout_since")
        if at is not None and since is not None and row["authority"] and is_endless(row):
            yield {"topic": row["topic"], "partition": row["partition"]}, max(0, at - since) / 1000


def _rescuable(document: Row) -> Iterator[Sample]:
    counted: Counter[tuple[str, int, str]] = Counter()
    for one in document.get("findings", ()):
        if one["action"]["kind"] == "rescue":
            counted[one["topic"], one["partition"], one["replica"]] += one["action"]["loses_records"]
    for (topic, partition, replica), records in sorted(counted.items()):
        yield {"topic": topic, "partition": partition, "replica": replica}, records


def _ages(document: Row) -> Iterator[Sample]:
    at = document["capture"].get("captured_at")
    for labels, row in _partitions(document):
        since = row.get("blocked_since")
        if at is not None and since is not None:
            yield labels, max(0, at - since) / 1000


def _column(name: str) -> Callable[[Row], Iterator[Sample]]:
    """Return how a document's partitions are read for this number of each; nothing where it is unknown."""
    return lambda document: ((labels, row[name]) for labels, row in _partitions(document) if row[name] is not None)


def _partitions(document: Row) -> Iterator[tuple[Labels, Row]]:
    for row in document.get("partitions", ()):
        if row["authority"] and row.get("has_log", True):
            yield {"topic": row["topic"], "partition": row["partition"]}, row
