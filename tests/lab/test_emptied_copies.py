"""The copy of a data log has no batch at all: it does not show that a marker is missing (RULES A 11)."""

import shutil
from pathlib import Path

import pytest
from judged_together import judged_together

EMPTIED = "settlements-0"


@judged_together
def documents(lab, root) -> dict[str, Path]:
    """A transaction that waits in Prepare, whole and with one copy cut to nothing; no checkpoint tells its end."""
    whole = lab / "dev" / "S14_prepare_stuck_down"
    for form in ("dumps", "logdir"):
        copy = shutil.copytree(whole / form, root / form)
        for small in [*copy.rglob("*checkpoint*"), *copy.rglob("*.snapshot*")]:
            small.unlink()
        for file in copy.glob(f"*/{EMPTIED}/*.log*"):
            head = file.read_text("utf-8").splitlines(keepends=True)[:2] if form == "dumps" else ()
            file.write_text("".join(head), "utf-8")
    return {"whole": whole / "logdir", **{form: root / form for form in ("dumps", "logdir")}}


def stuck(document):
    found = [one for one in document["findings"] if one["code"] == "TXN006"]
    return {(f"{one['topic']}-{one['partition']}", one["confidence"]) for one in found}


@pytest.mark.parametrize("form", ["dumps", "logdir"])
def test_the_marker_is_not_missed_in_it(documents, form):
    assert stuck(documents["whole"])
    assert EMPTIED not in dict(stuck(documents[form]))
    assert stuck(documents[form]) <= stuck(documents["whole"])
