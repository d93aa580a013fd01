"""The post-mortems of docs/postmortems are what the program writes of those captures."""

import pytest
from postmortems import FOLDER, INCIDENTS, write

STALE = "stale: run make postmortems, and read the difference"


@pytest.mark.parametrize("told", INCIDENTS, ids=lambda told: told.name)
def test_a_post_mortem_is_what_the_program_writes(told, command, lab, tmp_path):
    write(told, lab, tmp_path, command)
    written = {file.name: file.read_text("utf-8") for file in tmp_path.glob(f"{told.name}*.*")}
    stored = {file.name: file.read_text("utf-8") for file in FOLDER.glob(f"{told.name}*.*")}
    assert written == stored, STALE
    assert len(written) > 1
