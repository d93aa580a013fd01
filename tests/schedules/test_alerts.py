"""The Prometheus rules: a parser takes them, our metrics in them exist, and the page tells of each."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from analyzer.report.metrics import metrics

ROOT = Path(__file__).parents[2]
FILE = ROOT / "schedules" / "alerts.yml"
ALERTS = [rule for group in yaml.safe_load(FILE.read_text("utf-8"))["groups"] for rule in group["rules"]]
PAGE = (ROOT / "docs" / "alerts.md").read_text("utf-8")
DOCUMENT = ROOT / "tests" / "report" / "documents" / "late_write.json"


@pytest.mark.parametrize("rule", ALERTS, ids=lambda rule: rule["alert"])
def test_a_rule_says_what_to_look_at_and_what_to_do(rule):
    assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
    assert rule["labels"]["severity"] in {"page", "warn"}
    assert set(rule["annotations"]) == {"summary", "do"}


def test_our_metrics_are_those_that_are_written():
    written = set(re.findall(r"^# TYPE (\w+) gauge$", metrics([json.loads(DOCUMENT.read_text("utf-8"))]), re.MULTILINE))
    asked = {name for rule in ALERTS for name in re.findall(r"txn_forensics_\w+", rule["expr"])}
    assert asked
    assert asked | set(re.findall(r"`(txn_forensics_\w+)`", PAGE)) <= written


def test_the_page_names_every_metric_of_the_brokers():
    asked = {name for rule in ALERTS for name in re.findall(r"kafka_\w+", rule["expr"])}
    told = {re.sub(r"persec$", "", re.sub(r"\W", "", name.lower())) for name in re.findall(r"\| `([A-Za-z-]+)`", PAGE)}
    assert {re.sub(r"_total$", "", name).rpartition("_")[2] for name in asked if "uncleanable" not in name} <= told
    assert "uncleanablepartitionscount" in told


def test_promtool_takes_the_rules():
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("needs promtool (Debian: prometheus)")
    said = subprocess.run([promtool, "check", "rules", FILE], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
