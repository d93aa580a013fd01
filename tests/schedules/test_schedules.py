"""The examples for schedulers: the bundle is one, its tasks exist and take their parameters, the alert answers."""

import ast
import importlib
import re
import tomllib
from pathlib import Path

import pytest
import typer
import yaml
from databricks.bundles.jobs import Job

from analyzer.cli.commands import app
from analyzer.config import Config
from analyzer.errors import CaseError
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.pipeline.query import query
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

ROOT = Path(__file__).parents[2]
BUNDLE = yaml.safe_load((ROOT / "schedules" / "databricks.yml").read_text("utf-8"))
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
JOBS = {target: told["resources"]["jobs"]["txn_forensics"] for target, told in BUNDLE["targets"].items()}
TASKS = [(target, task) for target, job in JOBS.items() for task in job["tasks"]]
ALERT = (ROOT / "schedules" / "alert.sql").read_text("utf-8")


def parsed(arguments: list[str]):
    """What the command line makes of these arguments: an error for an option that there is not."""
    command = typer.main.get_command(app)
    return command.commands[arguments[0]].make_context(arguments[0], arguments[1:])


@pytest.mark.parametrize("target", JOBS)
def test_databricks_knows_every_field(target):
    assert Job.from_dict(JOBS[target]).name == "Hanging Kafka transactions"


@pytest.mark.parametrize(("target", "task"), TASKS, ids=lambda one: one if isinstance(one, str) else one["task_key"])
def test_a_task_starts_a_function_that_takes_its_parameters(target, task):
    wheel = task["python_wheel_task"]
    module, _, function = SCRIPTS[wheel["entry_point"]].partition(":")
    assert callable(getattr(importlib.import_module(module), function))
    assert parsed([wheel["entry_point"].removeprefix("txn-forensics-"), *wheel["parameters"]]).params["case"]
    where = "environment_key" if target == "serverless" else "job_cluster_key"
    keys = [one[where] for one in JOBS[target]["environments" if target == "serverless" else "job_clusters"]]
    assert task[where] in keys


def test_every_variable_is_declared():
    used = set(re.findall(r"\$\{var\.(\w+)\}", (ROOT / "schedules" / "databricks.yml").read_text("utf-8")))
    assert used <= BUNDLE["variables"].keys()


@pytest.mark.parametrize("name", ["crontab", "txn-forensics.service"])
def test_commands_of_cron_and_systemd_are_ours(name):
    text = (ROOT / "schedules" / name).read_text("utf-8")
    commands = re.findall(r"txn-forensics ((?:run|vacuum) [^\n']*)", text)
    assert commands
    for command in commands:
        words = re.sub(r'"[^"]*"', "PATH", command.replace("%%", "%")).split()
        assert parsed(words).params["case"] == "case"


def test_the_dag_gives_each_job_parameters_that_it_takes():
    tree = ast.parse((ROOT / "schedules" / "airflow_dag.py").read_text("utf-8"))
    told = next(node for node in ast.walk(tree) if isinstance(node, ast.Dict) and any(
        isinstance(key, ast.Constant) and key.value == "ingest" for key in node.keys
    ))  # fmt: skip
    for key, value in zip(told.keys, told.values, strict=True):
        words = [part.value if isinstance(part, ast.Constant) else "/shared" for part in value.elts]
        assert parsed([key.value, *words]).params["case"] == "/shared"
        assert (ROOT / "analyzer" / "jobs" / f"{key.value}.py").is_file()


def test_the_alert_is_one_row_with_and_without_captures(spark, lab, tmp_path):
    case = Case(spark, str(tmp_path / "case"))
    for name in ("summaries", "findings"):
        case.read(name).createOrReplaceTempView(name)
    assert [tuple(row) for row in spark.sql(ALERT).collect()] == [(1, None)]
    with pytest.raises(CaseError, match="holds no captures"):
        query(case, ALERT, Config())
    ingest(case, [scan_capture(CaptureRequest((str(lab / "dev" / "late_write" / "dumps"),), "hour"))])
    (document,) = analyze(case, ["hour"], Config())
    bad = [one for one in document["findings"] if one["severity"] in {"critical", "warning"}]
    ((problems, example),) = query(case, ALERT, Config())[1]
    assert problems == len(bad) + 1, "the capture is old"
    assert example == min(one["alert_line"] for one in bad if one["severity"] == "critical")
