"""What the tests of docs/sql.md share: the case that the page and the notebook are about."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from sql_page import case_of_sample_data


@pytest.fixture(scope="module")
def case(spark, tmp_path_factory):
    """CASE, made of sample_data, in the folder in which the tests then run."""
    with case_of_sample_data(spark, tmp_path_factory.mktemp("sql")) as folder:
        yield folder
