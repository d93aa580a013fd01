"""No Prepare record is here, as in damaged batches: Ongoing and Complete records tell the list and the decision."""

import re
import shutil
from pathlib import Path

import pytest
from judged_together import Document, judged_together

SCENARIOS = ("in_flight", "S8_marker_lost", "late_write", "normal_mix", "group_rebalance_clean")


@judged_together
def documents(lab, root) -> dict[str, Path]:
    """Dumps of each scenario: whole, and without the Prepare records of __transaction_state and their batches."""
    folders = {}
    for name in SCENARIOS:
        folders[name] = lab / "dev" / name / "dumps"
        folders[f"{name} less"] = root / name
        shutil.copytree(folders[name], root / name)
        for dump in (root / name).glob("*/__transaction_state-*/*.log.txt"):
            kept: list[str] = []
            for line in dump.read_text("utf-8").splitlines(keepends=True):
                if "state=Prepare" not in line:
                    kept.append(line)
                elif " count: 1 " in kept[-1]:
                    kept.pop()
            dump.write_text(in_place(kept), "utf-8")
    return folders


def in_place(lines: list[str]) -> str:
    """Return the lines of a dump with the positions that their batches have where the others are not in the segment."""
    out, position = [], 0
    for line in lines:
        if line.startswith("baseOffset: "):
            out.append(re.sub(r" position: \d+", f" position: {position}", line, count=1))
            position += int(line.partition(" size: ")[2].split()[0])
        else:
            out.append(line)
    return "".join(out)


def places(document: Document) -> list[tuple[str, str, int, int]]:
    return [(row["code"], row["topic"], row["partition"], row["first_offset"]) for row in document["findings"]]


@pytest.mark.parametrize("name", sorted({*SCENARIOS} - {"late_write"}))
def test_the_same_is_found(documents, name):
    assert sorted(places(documents[f"{name} less"])) == sorted(places(documents[name]))


def test_nothing_is_found_twice(documents):
    found = places(documents["late_write less"])
    assert found
    assert len(set(found)) == len(found)
