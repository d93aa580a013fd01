"""A finding that answers of tools alone show: no file tells where its transaction ends, the appended segments do."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parent.parent / "segments"))

from written import batch, end_marker

from analyzer.cli.commands import app

FOUND = (
    "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\n"
    "orders\t3\t4003\t0\t5\t87\t1716642854560\t209793\n"
)
MINE = {"producer_id": 4003, "producer_epoch": 0}
RECORD = (b"k", b"v")


def data(offset, records):
    return batch(offset, *[RECORD] * records, flags=0x10, base_sequence=0, **MINE)


LOGS = {
    "open": batch(80, RECORD) + data(87, 2) + batch(89, RECORD) + data(90, 3) + batch(93, RECORD),
    "ended": data(87, 2) + data(89, 1) + end_marker(90, commit=False, **MINE) + data(91, 4),
}
SAVED = {"open": [87, 88, 90, 91, 92], "ended": [87, 88, 89]}


@pytest.mark.parametrize("name", LOGS)
def test_what_the_segments_have_of_it_is_saved(tmp_path, name):
    case, out = tmp_path / "case", tmp_path / "out"
    (tmp_path / "paste.txt").write_text(FOUND)
    run = CliRunner().invoke(
        app, ["run", str(tmp_path / "paste.txt"), "--case", str(case), "--format", "json", "--engine", "sail"]
    )
    [finding] = json.loads(run.stdout)["findings"]
    log = tmp_path / "broker" / "orders-3"
    log.mkdir(parents=True)
    (log / f"{80:020}.log").write_bytes(LOGS[name])
    saved = CliRunner().invoke(
        app, ["rescue", "--case", str(case), "--finding", finding["id"], "-o", str(out), str(log.parent)]
    )
    rows = [json.loads(line) for line in (out / "records.jsonl").read_text().splitlines()]
    assert [row["offset"] for row in rows] == SAVED[name]
    assert saved.exit_code == (3 if name == "open" else 0), saved.output
    assert ("no file tells where it ends" in saved.output) == (name == "open")
    assert "outside these offsets" not in saved.output
