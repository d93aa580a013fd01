"""What Sail answers to the expressions that the stages rest on, and what it still gets wrong.

An upgrade of pysail that changes any of it fails here first. A fault that is gone is good news: take the answer over,
and what docs/decisions/0009 says about it out.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROBES = Path(__file__).parent / "probes.py"


def answers(engine: str) -> dict[str, str]:
    """Return each probe's rows as text, computed in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(PROBES), engine], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def spark_says() -> dict[str, str]:
    return answers("spark")


@pytest.fixture(scope="module")
def sail_says() -> dict[str, str]:
    return answers("sail")


FAULTS = {
    "checkpoint of a null struct": "[[1, 'x', true, 7], [2, '', false, 0]]",
    "to_json of a null": "[['{\"k\":1}']]",
    "split into letters": "[[['', 'a', 'b', '']]]",
    "first branch of a case": "[('k', 'int'), ('c', 'int')]",
    "union without a struct column": "fails",
    "array_except of nullable and not": "fails",
    "array_sort of structs with nulls": "[[1, [[2, 'q'], [5, 'r'], [null, 'p']]]]",
    "min of structs with nulls": "[[0, [1, 2, 'a']]]",
    "max of structs with nulls": "[[0, [1, null, 'z']]]",
    "min_by over a struct with nulls": "[[1, 'q']]",
    "array_contains beside a null": "[[false]]",
    "percentile_approx": "[[2.0]]",
    "filter on a struct read with a schema": "[['q'], ['r'], [null]]",
}
"""What Sail says otherwise than Spark; no stage may rest on any of it."""


def test_spark_and_sail_answer_alike(spark_says, sail_says):
    assert spark_says.keys() == sail_says.keys()
    alike = {name: answer for name, answer in spark_says.items() if name not in FAULTS}
    assert {name: sail_says[name] for name in alike} == alike


@pytest.mark.parametrize("name", FAULTS)
def test_what_sail_gets_wrong_is_still_the_same(spark_says, sail_says, name):
    assert sail_says[name] == FAULTS[name]
    assert spark_says[name] != FAULTS[name]
