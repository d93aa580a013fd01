"""What is known of each capture's cluster, for the words of findings and verdicts."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.detectors.beside.owners import Owners, owners
from analyzer.detectors.cluster import Cluster
from analyzer.kafka.log_lines.of_redpanda import ONLY_REDPANDA
from analyzer.kafka.settings import METADATA_VERSION
from analyzer.kafka.versions import Brokers, brokers_of, brokers_with

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def clusters(rows: Rows) -> dict[str, Cluster]:
    """Return the cluster of each capture, of the rows that an analysis has collected."""
    settings, events = _by_capture(rows["settings"]), _by_capture(rows["quorum_events"])
    logs = {row["capture"]: row for row in rows["quorum"]}
    redpanda = {row["capture"] for row in rows["log_lines"] if row["says"] in ONLY_REDPANDA}
    return {
        row["capture"]: Cluster(
            _brokers(row.get("kafka_version"), settings[row["capture"]]),
            row.get("captured_at"),
            settings[row["capture"]],
            logs.get(row["capture"]),
            events[row["capture"]],
            json.loads(row["manifest"]).get("settings", {}),
            named_in=_named_in(row),
            redpanda=bool(row.get("redpanda")) or row["capture"] in redpanda,
            whole=not any(event["some_left_out"] for event in events[row["capture"]]),
        )
        for row in rows["captures"]
    }


def _named_in(capture: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for one in capture.get("named_in") or ():
        found[one["path"]].add(one["cluster"])
    return {path: frozenset(names) for path, names in found.items()}


def _brokers(version: str | None, settings: Sequence[Mapping[str, Any]]) -> Brokers:
    """Return the brokers' version, or at least that which the finalized metadata.version needs."""
    told = brokers_of(version)
    now = [row["setting"] for row in settings if row["config"] == METADATA_VERSION and row["until_ms"] is None]
    return brokers_with(now[0]) if told.version is None and now and now[0] else told


def owners_of(rows: Rows) -> dict[str, Owners]:
    """Return whose the ids of each capture are, of the rows that an analysis has collected."""
    names = _by_capture(rows["client_names"])
    return {
        row["capture"]: owners(json.loads(row["manifest"]).get("owners", {}), names[row["capture"]])
        for row in rows["captures"]
    }


def with_served(opens: Sequence[Mapping[str, Any]], served: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Add to open transactions which state partitions their producer id's markers fit, None where that is not known."""
    told = {(row["capture"], row["producer_id"]): row["state_partitions"] for row in served}
    return [{**row, "served_by": told.get((row["capture"], row["producer_id"]))} for row in opens]


def _by_capture(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        found[row["capture"]].append(row)
    return found
