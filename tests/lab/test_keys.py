"""A real keyed topic that grew from 4 to 6 partitions, from text and from raw files, key by key and group by group."""

import hashlib
import json
from collections import defaultdict

import pytest

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

FORMS = ("dumps", "logdir")
every_form = pytest.mark.parametrize("form", FORMS)


@pytest.fixture(scope="module")
def case(lab, spark, tmp_path_factory) -> Case:
    captures = [scan_capture(CaptureRequest((str(lab / "dev" / "data_expansion" / form),), form)) for form in FORMS]
    case = Case(spark, str(tmp_path_factory.mktemp("keys") / "case"))
    ingest(case, captures)
    return case


@pytest.fixture(scope="module")
def documents(case) -> dict[str, dict]:
    return dict(zip(FORMS, analyze(case, list(FORMS), Config()), strict=True))


@pytest.fixture(scope="module")
def truth(lab) -> dict:
    return json.loads((lab / "dev" / "data_expansion" / "truth.json").read_text())


def digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def found(document: dict, name: str) -> list[dict]:
    return [finding for finding in document["findings"] if finding["name"] == name]


def expected(truth: dict, kind: str, form: str) -> list[dict]:
    """What the files of this form can show: some of it needs expanded_at, some only the consumer's own log tells."""
    rows = [one for one in truth["expected_findings"] if one["kind"] == kind]
    shown = [one for one in rows if not str(one.get("evidence", "")).startswith("consumer log only")]
    return [one for one in shown if form == "logdir" or one.get("needs") != "expanded_at"]


@every_form
def test_stale_producers_and_their_keys(documents, truth, form):
    keys = defaultdict(set)
    for one in expected(truth, "stale_partition_count_producer", form):
        keys[one["partition"], one["producer_id"]].add(digest(one["key"]))
    got = found(documents[form], "stale_partition_count_producer")
    assert {(finding["partition"], finding["producer_id"]) for finding in got} == keys.keys()
    for finding in got:
        mine = keys[finding["partition"], finding["producer_id"]]
        assert f"of {len(mine)} key" in finding["headline"]
        assert sum(one in finding["explanation"] for one in mine) == min(len(mine), 5)


@every_form
def test_keys_read_out_of_order(documents, truth, form):
    keys = defaultdict(set)
    for one in expected(truth, "key_order_broken_by_expansion", form):
        keys[one["partition"], f"from partition {one['prior_partition']}"].add(digest(one["key"]))
    got = found(documents[form], "key_order_broken_by_expansion")
    assert {(finding["partition"], finding["key"]) for finding in got} == keys.keys()
    for finding in got:
        assert all(one in finding["explanation"] for one in keys[finding["partition"], finding["key"]])


@every_form
def test_groups_below_their_thresholds(documents, truth, form):
    got = {(finding["group"], finding["partition"]) for finding in found(documents[form], "position_below_threshold")}
    assert got == {(one["group"], one["partition"]) for one in expected(truth, "position_below_threshold", form)}


@every_form
def test_broken_order_folds_under_the_group_that_read_ahead(documents, form):
    by_id = {finding["id"]: finding for finding in documents[form]["findings"]}
    for finding in found(documents[form], "key_order_broken_by_expansion"):
        cause = by_id[finding["folded_under"]]
        assert cause["name"] == "position_below_threshold"
        assert finding["key"] == f"from partition {cause['partition']}"
    assert all(finding["folded_under"] is None for finding in found(documents[form], "stale_partition_count_producer"))


@every_form
def test_the_threshold_map(documents, truth, form):
    rows = documents[form]["thresholds"]
    assert {(row["prior_partition"], row["new_partition"]) for row in rows} == {
        (prior, new) for prior in range(4) for new in range(6) if prior != new and (prior - new) % 2 == 0
    }
    for row in rows:
        told = truth["thresholds"][str(row["prior_partition"])]
        assert row["epoch_offset"] == told["epoch_boundary_offset"]
        if form == "logdir":
            assert row["time_offset"] == told["end_offset_at_expansion"]
        (group,) = row["groups"]
        assert (group["position"], group["may_read"]) == (told["group_committed"], not told["below_threshold"])


def test_what_the_keys_say_of_the_counts(documents):
    for form in FORMS:
        (topic,) = documents[form]["keyed_topics"]
        assert (topic["how"], topic["partitioner"]) == ("two", "murmur2")
        assert (topic["old_count"], topic["new_count"], topic["unexplained"]) == (4, 6, 0)


def test_no_key_is_stored_whole(case, truth):
    assert case.read("keyed_records").where("key_sample LIKE '%user-%'").isEmpty()
    assert truth["keys"]
