"""Analyzes captures of a case: findings, verdicts, partition health, coverage, and a document of each capture."""

import dataclasses
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analyzer.config import Config
from analyzer.detectors.folding import folded
from analyzer.detectors.registry import ALL
from analyzer.detectors.running import findings
from analyzer.detectors.verdicts import verdicts
from analyzer.kafka.reaching.reach import Reach
from analyzer.pipeline.clusters import clusters, owners_of, with_served
from analyzer.pipeline.detecting import Detected, detect, with_faults
from analyzer.pipeline.evidence import removed_files, with_text
from analyzer.pipeline.looked_up import keep_lookups
from analyzer.pipeline.pictures import pictures
from analyzer.pipeline.reported import DRAWN_AS, SHOWN_AS, STAGES
from analyzer.pipeline.workbench import Bench, Rows, workbench
from analyzer.report.actions.reached import pasted_way
from analyzer.report.assembling.assemble import assemble
from analyzer.report.assembling.other_brokers import asked_of
from analyzer.report.document.parts import Parts
from analyzer.stages.both import side_by_side
from analyzer.stages.profiling import Profile
from analyzer.stages.running import Run
from analyzer.storage.case import Case
from analyzer.storage.named_cases import case_name
from analyzer.tables import TABLES

Progress = Callable[[str], None]

LISTS = {**SHOWN_AS, **DRAWN_AS}.keys() & {field.name for field in dataclasses.fields(Parts)}
"""What a document has of the rows that are collected, in addition to findings and open transactions."""


def analyze(
    case: Case,
    names: Sequence[str],
    config: Config,
    progress: Progress = lambda _: None,
    profile: Profile | None = None,
) -> list[dict[str, Any]]:
    """Analyze these captures together, store their results, and return their documents in this order."""
    progress("lifecycles")
    with workbench(case, names) as bench:
        return judged(case, bench, Run(STAGES, bench, config, profile), names, config, progress)


def judged(
    case: Case, bench: Bench, run: Run, names: Sequence[str], config: Config, progress: Progress
) -> list[dict[str, Any]]:
    """Judge these lifecycles, store the results of the captures, and return their documents in this order."""
    run.with_rows(*[name for one in ALL for way in one.ways for name in way.reads], *SHOWN_AS.values())
    asked, tables = with_faults(ALL, run)
    shown = run.with_rows(*SHOWN_AS.values())
    progress("detectors")
    detected, rows = side_by_side(
        lambda: detect(asked, tables, bench, config.limits.findings_per_code),
        lambda: bench.collected({name: shown[table] for name, table in SHOWN_AS.items() if table in shown}),
    )
    known = clusters(rows)
    found = folded(findings(ALL, detected.rows, known, owners_of(rows)))
    progress("report")
    found = with_text(bench.files, found)
    rows |= pictures(bench, run, found, rows["opens"], rows["partitions"])
    by_capture = _by_capture(rows, found, detected)
    for name, note in removed_files(bench.files).items():
        by_capture[name].coverage.append(note)
    for name, parts in by_capture.items():
        way = config.reach or pasted_way(parts.capture)
        parts.capture = {**parts.capture, "redpanda": known[name].redpanda}
        parts.coverage = asked_of(parts.coverage, way.bootstrap, redpanda=known[name].redpanda)
    name_of_case = case_name(case.location)
    documents = [assemble(name_of_case, by_capture[name], case.engine.title, config.reach) for name in names]
    case.replace_rows(names, _stored(by_capture, documents, config.reach), "results")
    keep_lookups(case, bench, run, names)
    return documents


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


def _stored(by_capture: Mapping[str, Parts], documents: Sequence[dict[str, Any]], reach: Reach) -> Rows:
    """Return the rows of the `results` tables."""
    way = json.dumps(reach.told()) if reach else None
    out: Rows = defaultdict(list)
    for document in documents:
        name = document["capture"]["name"]
        parts = by_capture[name]
        head = {key: document["capture"].get(key) for key in ("captured_at", "captured_at_source", "kafka_version")}
        line = json.dumps(document, ensure_ascii=False)
        told = {"verdict": document["verdict"], "reach": way, "document": line}
        out["summaries"].append({"capture": name, **head, **told})
        for finding in document["findings"]:
            detail = json.dumps(finding, ensure_ascii=False)
            out["findings"].append({"capture": name, "detail": detail, **_columns(finding, "findings")})
        out["open_transactions"] += [_columns(_opened(row), "open_transactions") for row in parts.open_transactions]
        out["partition_health"] += [_columns(row, "partition_health") for row in parts.partitions]
        out["coverage"] += parts.coverage
        out["rescuable_records"] += [_columns(row, "rescuable_records") for row in parts.rescuable]
        out["detector_runs"] += [{"capture": name, **dataclasses.asdict(run)} for run in parts.runs]
    return out


def _opened(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**row, "moments": json.dumps(row["moments"])} if "moments" in row else row


def _columns(row: Mapping[str, Any], table: str) -> dict[str, Any]:
    return {name: row[name] for name in TABLES[table].names if name in row}
