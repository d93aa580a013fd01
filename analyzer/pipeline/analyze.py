"""Analyzes captures of a case: findings, verdicts, partition health, coverage, and a document of each capture."""

import dataclasses
import functools
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.config import Config
from analyzer.detectors import ALL, findings, folded, verdicts
from analyzer.detectors.verdicts import open_rows
from analyzer.lifecycles import Lifecycles, build
from analyzer.lifecycles.controller.summary import asked_of_quorum, first_served, newest_events, quorum_summary
from analyzer.lifecycles.coverage.notes import coverage, unparsed_runs
from analyzer.lifecycles.groups.build import Groups, build_groups
from analyzer.lifecycles.keyed.build import Keyed, bounded, build_keyed
from analyzer.lifecycles.logs.last_stable_offset import partition_health
from analyzer.lifecycles.placing import PRODUCER
from analyzer.lifecycles.tables import held
from analyzer.pipeline.clusters import clusters, with_served
from analyzer.pipeline.detecting import Detected, detect
from analyzer.pipeline.evidence import with_text
from analyzer.pipeline.fetching import to_fetch
from analyzer.pipeline.pictures import pictures
from analyzer.pipeline.workbench import Bench, Rows, workbench
from analyzer.report.document.assemble import assemble
from analyzer.report.document.parts import Parts
from analyzer.storage.case import Case
from analyzer.tables import TABLES, UNREAD_KINDS

Progress = Callable[[str], None]

LISTS = (
    "partitions", "coverage", "unparsed", "files", "not_read", "impact", "pending_positions", "expiry", "routing",
    "keyed", "thresholds", "reads", "near", "bars", "states", "epoch_starts", "growth", "id_places",
    "fetch", "quorum", "quorum_events", "served", "asked",
)  # fmt: skip
"""What is collected in addition to findings and open transactions, under the names that `Parts` gives them."""
LISTED_FILES = 100
"""Files of one kind that were not read and that a document lists; the others are counted."""


def analyze(
    case: Case, names: Sequence[str], config: Config, progress: Progress = lambda _: None
) -> list[dict[str, Any]]:
    """Analyze these captures together, store their results, and return their documents in this order."""
    progress("lifecycles")
    with workbench(case, names) as bench:
        return judged(case, bench, build(bench, config.verdicts), names, config, progress)


def judged(
    case: Case, bench: Bench, lifecycles: Lifecycles, names: Sequence[str], config: Config, progress: Progress
) -> list[dict[str, Any]]:
    """Judge these lifecycles, store the results of the captures, and return their documents in this order."""
    groups = build_groups(bench, lifecycles, config.limits.open_transactions)
    keyed = build_keyed(bench, lifecycles, groups)
    progress("detectors")
    detected, rows = bench.hold.both(
        lambda: detect(ALL, held(lifecycles, groups, keyed), bench, config.limits.findings_per_code),
        lambda: _collect(bench, lifecycles, groups, keyed, config),
    )
    found = folded(findings(ALL, detected.rows, clusters(rows)))
    progress("report")
    found = with_text(bench.files, found)
    rows |= pictures(bench, lifecycles, found, rows["opens"], rows["partitions"])
    by_capture = _by_capture(rows, found, detected)
    documents = [assemble(case.location, by_capture[name], case.engine.title) for name in names]
    case.replace_rows(names, _stored(by_capture, documents), "results")
    return documents


def _collect(bench: Bench, lifecycles: Lifecycles, groups: Groups, keyed: Keyed, config: Config) -> Rows:
    """Return everything that a report shows in addition to findings: bounded lists by table."""
    logs = lifecycles.logs
    ranked = Window.partitionBy("capture").orderBy("topic", "partition", "first_offset", "producer_id", "replica")
    whole = Window.partitionBy("capture")
    theirs = bench.hold.narrowing(lifecycles.matched.opens, "producer_id")
    opens = _with_coordinator_epochs(open_rows(lifecycles.matched.opens), theirs(logs.txns)).select(
        "*", F.row_number().over(ranked).alias("turn"), F.count("*").over(whole).alias("total")
    )
    text = F.coalesce("text", F.lit("")).alias("text")
    parts = {
        "captures": bench.captures.drop("captured_at", "captured_at_source").join(
            lifecycles.matched.moments.select(
                "capture", "captured_at", "captured_at_source", "newest_state_ms", "state_horizon_ms", "state_count",
                F.size("missing_states").alias("missing_states"),
            ), "capture", "left",
        ).join(_oldest_states(lifecycles), "capture", "left").join(_clusters(logs.observations), "capture", "left"),
        "opens": opens.where(F.col("turn") <= config.limits.open_transactions),
        "partitions": partition_health(logs.logs, lifecycles.matched.opens, logs.txns, logs.batches),
        "coverage": coverage(bench, bench.files, lifecycles, groups.positions),
        "files": bench.files.where("file_id IS NOT NULL OR problem IS NOT NULL").where(
            "file_kind NOT IN ('archive', 'folder')"
        ).groupBy("capture").agg(F.count("*").alias("files"), F.sum("bytes").alias("bytes")),
        "not_read": _not_read(bench.files),
        "facts": _fact_counts(lifecycles, groups, keyed),
        "fetch": to_fetch(
            bench, logs, lifecycles.coordinator, lifecycles.matched, config.limits.fetch_files
        ),
        **_of_controllers_log(bench, lifecycles),
        "impact": groups.impact,
        "pending_positions": groups.pending_positions,
        "expiry": groups.expiry,
        "routing": lifecycles.routing.counts,
        "keyed": keyed.topics,
        "thresholds": bounded(keyed.thresholds, bench.hold, "prior_partition", "home_partition"),
        "reads": bounded(keyed.reads, bench.hold, "may_read", "prior_partition", "group"),
        "unparsed": unparsed_runs(bench).groupBy("capture", "path").agg(
            F.sum("lines").alias("lines"), F.min(F.struct("line", text, "reason")).alias("first")
        ),
    }  # fmt: skip
    return bench.collected({name: rows for name, rows in parts.items() if not bench.hold.is_empty(rows)})


def _of_controllers_log(bench: Bench, lifecycles: Lifecycles) -> dict[str, DataFrame]:
    """Return what a report and the words of findings take from the controllers' log, and from admin tools beside it."""
    controller, leadership = lifecycles.controller, lifecycles.leadership
    return {
        "quorum": quorum_summary(controller.logs, leadership.reigns, bench.hold),
        "quorum_events": newest_events(controller.changes, bench.hold),
        "served": first_served(leadership.served, lifecycles.matched.opens, bench.hold),
        "settings": lifecycles.settings,
        "asked": asked_of_quorum(lifecycles.logs.observations),
    }


def _not_read(files: DataFrame) -> DataFrame:
    """Return the files of each kind that no reader opens: how many, their bytes, and the first of them by path."""
    listed = F.slice(F.array_sort(F.collect_list(F.struct("path", "bytes"))), 1, LISTED_FILES).alias("listed")
    unread = files.where(F.col("file_kind").isin(*UNREAD_KINDS) & F.col("problem").isNull())
    return unread.groupBy("capture", "file_kind").agg(
        F.count("*").alias("files"), F.sum("bytes").alias("bytes"), listed
    )


def _with_coordinator_epochs(opens: DataFrame, txns: DataFrame) -> DataFrame:
    """Add `coordinator_epoch`: that of the marker before each open transaction, null where no marker is known."""
    markers = txns.where("marker_offset IS NOT NULL").select(
        *PRODUCER, F.col("marker_offset").alias("previous_marker_offset"),
        F.col("marker_coordinator_epoch").alias("coordinator_epoch"),
    )  # fmt: skip
    return opens.join(markers, [*PRODUCER, "previous_marker_offset"], "left")


def _oldest_states(lifecycles: Lifecycles) -> DataFrame:
    """Return how far back __transaction_state reaches in each capture: compaction may have taken what came before."""
    records = lifecycles.coordinator.records
    return records.groupBy("capture").agg(F.min("timestamp").alias("oldest_state_ms"))


def _clusters(seen: DataFrame) -> DataFrame:
    """Return the ids of the clusters that each capture's files name: one, if they belong together."""
    told = seen.where("observed = 'cluster_id' AND text IS NOT NULL")
    return told.groupBy("capture").agg(F.sort_array(F.collect_set("text")).alias("cluster_ids"))


def _fact_counts(lifecycles: Lifecycles, groups: Groups, keyed: Keyed) -> DataFrame:
    """Return how much of each thing that detectors need a capture has."""
    batches = lifecycles.logs.logs.groupBy("capture").agg(F.sum("batches").alias("batches"))
    states = lifecycles.coordinator.records.groupBy("capture").agg(F.count("*").alias("coordinator_states"))
    commits = groups.commits.groupBy("capture").agg(F.count("*").alias("offset_commits"))
    routed = lifecycles.routing.counts.groupBy("capture").agg(F.sum("ids").alias("routed_ids"))
    keys = keyed.topics.groupBy("capture").agg(F.sum("records").alias("keyed_records"))
    counts = (batches, states, commits, groups.told, routed, keys)
    return functools.reduce(
        lambda rows, count: rows.join(count, "capture", "left"), counts, lifecycles.matched.moments.select("capture")
    )


def _by_capture(rows: Rows, found: Sequence[dict[str, Any]], detected: Detected) -> dict[str, Parts]:
    names = [capture["capture"] for capture in rows["captures"]]
    facts = {row["capture"]: row for row in rows["facts"]}
    parts = {
        name: Parts(
            capture=capture,
            runs=detected.runs(ALL, name, facts.get(name, {})),
            totals={code: total for (where, code), total in detected.totals.items() if where == name},
            groups_told=bool(facts.get(name, {}).get("group_positions")),
        )
        for name, capture in zip(names, rows["captures"], strict=True)
    }
    for finding in found:
        parts[finding["capture"]].findings.append(finding)
    for row in rows["opens"]:
        parts[row["capture"]].open_total = row["total"]
    for row in verdicts(with_served(rows["opens"], rows["served"]), found):
        parts[row["capture"]].open_transactions.append(row)
    for name in LISTS:
        for row in rows[name]:
            getattr(parts[row["capture"]], name).append(row)
    return parts


def _stored(by_capture: Mapping[str, Parts], documents: Sequence[dict[str, Any]]) -> Rows:
    """Return the rows of the `results` tables."""
    out: Rows = defaultdict(list)
    for document in documents:
        name = document["capture"]["name"]
        parts = by_capture[name]
        head = {key: document["capture"].get(key) for key in ("captured_at", "captured_at_source", "kafka_version")}
        line = json.dumps(document, ensure_ascii=False)
        out["summaries"].append({"capture": name, **head, "verdict": document["verdict"], "document": line})
        for finding in document["findings"]:
            detail = json.dumps(finding, ensure_ascii=False)
            out["findings"].append({"capture": name, "detail": detail, **_columns(finding, "findings")})
        out["open_transactions"] += [_columns(row, "open_transactions") for row in parts.open_transactions]
        out["partition_health"] += [_columns(row, "partition_health") for row in parts.partitions]
        out["coverage"] += parts.coverage
        out["detector_runs"] += [{"capture": name, **dataclasses.asdict(run)} for run in parts.runs]
    return out


def _columns(row: Mapping[str, Any], table: str) -> dict[str, Any]:
    return {name: row[name] for name in TABLES[table].names if name in row}
