"""Runs all detectors as one Spark job and turns their rows into findings with words, ids and evidence."""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.detectors import causes, model
from analyzer.detectors.beside.clusters import judged_apart
from analyzer.detectors.beside.known import known_bugs
from analyzer.detectors.beside.owners import Owners, with_owner
from analyzer.detectors.beside.prevention import prevention
from analyzer.detectors.beside.who_waits import also_waits
from analyzer.detectors.causes import Cause
from analyzer.detectors.cluster import Cluster, Period
from analyzer.detectors.model import Action, Detector, Explanation, Readers, Ref, Step
from analyzer.tables.json_rows import json_row
from analyzer.tables.moments import sentence, stated
from analyzer.tables.unions import union_all

SCOPE = ("topic", "partition", "transactional_id", "producer_id", "first_offset", "group", "key")
"""What a finding's id is made of, besides its code; paths, replicas and the order of input do not matter."""


ABOUT = (
    "topic", "partition", "replica", "transactional_id", "producer_id", "producer_epoch", "first_offset", "last_offset",
)  # fmt: skip
"""Fields of the evidence that every finding has."""

SURENESS: Mapping[model.Confidence, str] = {"certain": "", "likely": "probably: ", "possible": "possibly: "}
"""How a headline begins: one that says what happened as a fact is certain."""


Asked = tuple[str, int, model.Way]
"""A detector's code, which of its ways to find the fault this is, and that way."""


def run_all(asked: Sequence[Asked], tables: Mapping[str, DataFrame], limit: int) -> DataFrame:
    """Return rows (capture, code, way, total, evidence as JSON) of these, at most `limit` of each code and capture."""
    found: list[DataFrame] = []
    for code, number, way in asked:
        rows = way.find(*[tables[name] for name in (*way.reads, *way.beside)])
        evidence = json_row(*[field.name for field in dataclasses.fields(way.evidence)]).alias("evidence")
        found.append(rows.select("capture", F.lit(code).alias("code"), F.lit(number).alias("way"), evidence))
    per_code = Window.partitionBy("capture", "code")
    turn, total = F.row_number().over(per_code.orderBy("evidence")), F.count("*").over(per_code)
    return union_all(found).withColumns({"turn": turn, "total": total}).where(F.col("turn") <= limit).drop("turn")


def findings(
    detectors: Sequence[Detector],
    rows: Iterable[Mapping[str, Any]],
    clusters: Mapping[str, Cluster],
    owners: Mapping[str, Owners] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """Return findings in the form of the JSON contract, one per row, ordered by id within a code.

    Entries of `evidence` are labelled Refs whose text is not read yet; steps point to them by index.
    prior_partition is where the old partition count puts the keys that a finding is about, otherwise its partition;
    expansion is the one of several that it is about; id_state the newest of its transaction, where it tells one;
    own_moments are those of its steps without what the controllers' log adds. `clusters` has what is known of each
    capture's cluster: of the causes, those that are possible in it are told. `owners`: whose its ids are.
    """
    by_code = {detector.code: detector for detector in detectors}
    out = [
        _finding(by_code[row["code"]], row, clusters[row["capture"]], owners.get(row["capture"], Owners()))
        for row in rows
    ]
    return sorted(out, key=lambda finding: (finding["capture"], finding["code"], finding["id"]))


def finding_id(code: str, about: Mapping[str, Any]) -> str:
    """Return the id: the code and 12 hex digits of a digest over what the finding is about."""
    scope = json.dumps([code, *[about.get(name) for name in SCOPE]], ensure_ascii=False)
    return f"{code}-{hashlib.sha256(scope.encode()).hexdigest()[:12]}"


def _sure(one: model.Sure, refs: Sequence[Ref]) -> dict[str, Any]:
    """Return one part of how sure a finding is; its line is named only if a step quotes it."""
    evidence = [refs.index(one.ref)] if one.ref in refs else []
    return {"question": one.question, "answer": one.answer, "because": one.because, "evidence": evidence}


def _period(row: Mapping[str, Any], words: Explanation, cluster: Cluster) -> Period | None:
    """Return the time in which the cause of a finding lies, None where it is about no partition."""
    if row.get("topic") is None or row.get("partition") is None or cluster.captured_at is None:
        return None
    return Period(row["topic"], row["partition"], words.since_ms, cluster.captured_at)


def _action(action: Action) -> dict[str, Any]:
    """Return an action as the document has it; what there is no command for has no tool."""
    fields = _without_unknown(action) or {}
    check = fields.pop("check", {})
    names = ("command", "tool", "subcommand", "expect") if check.get("command") else ("expect",)
    return fields | {f"check_{name}": check[name] for name in names if check.get(name) is not None}


def _without_unknown(part: Action | Readers | None) -> dict[str, Any] | None:
    """Return the fields that are known, None for no part at all."""
    fields = None if part is None else dataclasses.asdict(part)
    return None if fields is None else {name: value for name, value in fields.items() if value is not None}


def _sentences(words: Explanation, steps: Sequence[Step], cause: list[str], refs: Sequence[Ref]) -> dict[str, Any]:
    """Return the sentences of a finding, and the moments in them."""
    cited = [[] if step.ref is None else [refs.index(step.ref)] for step in steps]
    told = stated({
        "headline": SURENESS[words.confidence] + words.headline,
        "label": words.label,
        "steps": [{"text": step.text, "evidence": own} for step, own in zip(steps, cited, strict=True)],
        "cause": cause,
        "refuted_by": words.refuted_by,
        "else": words.otherwise.text if isinstance(words.otherwise, Cause) else words.otherwise,
        "settled_by": words.settled_by,
        "certainty": [_sure(one, refs) for one in words.certainty],
        **({"columns": [{"head": head, "value": str(one)} for head, one in words.columns]} if words.columns else {}),
        "action": _action(words.action),
    })  # fmt: skip
    return told | {"explanation": "\n".join(step["text"] for step in told["steps"])}


def _finding(detector: Detector, found: Mapping[str, Any], cluster: Cluster, owners: Owners) -> dict[str, Any]:
    way, row = detector.ways[found["way"]], json.loads(found["evidence"])
    owner = owners.of(row.get("transactional_id"))
    words = judged_apart(with_owner(way.explain(model.evidence_from(way.evidence, row)), owner), cluster.named_in)
    period = _period(row, words, cluster)
    possible = causes.possible(words.cause, cluster, period)
    shown = [Step(text, model.ref_of(ref)) for text, ref in causes.proofs(possible, cluster, period)]
    told = [step.ref for step in words.steps]
    steps = [*words.steps, *(step for step in shown if step.ref not in told)]
    refs = list(dict.fromkeys(step.ref for step in steps if step.ref is not None))
    cause = causes.told(possible, cluster, row.get("topic"))
    named = causes.named([*possible, words.otherwise])
    bugs = [] if cluster.redpanda else known_bugs(detector.code, named, cluster, period)
    return {
        "capture": found["capture"],
        "id": finding_id(detector.code, row),
        "code": detector.code,
        "name": detector.name,
        "severity": words.severity or detector.severity,
        "confidence": words.confidence,
        **{name: row.get(name) for name in ABOUT},
        **{name: row[name] for name in ("group", "key") if row.get(name) is not None},
        **_sentences(words, steps, cause, refs),
        "alternatives": causes.alternatives(possible),
        "known_bugs": bugs,
        "owner": None if owner is None else owner.told(),
        "also_waits": also_waits(cluster, row["topic"]) if detector.verdict and row.get("topic") else [],
        "prevention": prevention(detector.code, cluster.brokers, bugs, of_kafka=not cluster.redpanda),
        "readers": _without_unknown(words.readers),
        "evidence": refs,
        "consequences": [],
        "folded_under": None,
        "is_verdict": detector.verdict,
        "prior_partition": row.get("prior_partition", row.get("partition")),
        "expansion": row.get("expansion"),
        "id_state": row.get("state"),
        "own_moments": [one["ms"] for step in words.steps for one in sentence(step.text)[1]],
    }
