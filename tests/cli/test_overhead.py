"""overhead: the table of KIP-98, measured from a real broker's files in three message formats."""

import json

import pytest

from analyzer.kafka.framing import framing_bytes, kip_bytes, saved_bytes

SIZES = (1, 3, 10, 50, 100)


def test_the_formulas():
    assert [framing_bytes(0, n) for n in SIZES] == [26, 78, 260, 1300, 2600]
    assert [framing_bytes(1, n) for n in SIZES] == [34, 102, 340, 1700, 3400]
    assert [framing_bytes(2, n) for n in SIZES] == [71, 91, 161, 561, 1061]
    assert [kip_bytes(n) for n in SIZES] == [62, 96, 215, 895, 1745]
    assert saved_bytes(batches=100, records=100, records_per_batch=10) == 90 * 61
    assert saved_bytes(batches=1, records=100, records_per_batch=10) == 0


@pytest.fixture(scope="module", params=["dumps", "logdir"])
def case(request, lab, spark, tmp_path_factory):
    from analyzer.pipeline.ingest import ingest
    from analyzer.scan.capture import scan_capture
    from analyzer.scan.request import CaptureRequest
    from analyzer.storage.case import Case

    folder = tmp_path_factory.mktemp("overhead") / "case"
    files = lab / "dev" / "legacy_formats" / request.param
    ingest(Case(spark, str(folder)), [scan_capture(CaptureRequest((str(files),), "legacy"))])
    return folder


def test_measured_beside_the_formulas(command, case, lab):
    table = json.loads(command("overhead", "--case", case, "--topic", "formats", "--format", "json").out)
    rows = {(row["format"], row["records_per_batch"]): row for row in table["framing"]}
    assert set(rows) == {(0, 1), (1, 1), *((2, size) for size in SIZES)}
    assert (rows[0, 1]["measured"], rows[1, 1]["measured"]) == (26, 34)
    truth = json.loads((lab / "dev" / "legacy_formats" / "truth.json").read_text())["measured"]
    for one in truth:
        if one["topic"] == "formats" and one["format"] == "v2":
            row = rows[2, one["records"]]
            assert (row["framing_bytes"], row["bytes"]) == (one["overhead_bytes"], one["bytes_in_log"])
            assert row["measured"] == one["overhead_per_record"]
            assert row["by_formula"] <= row["measured"] < row["by_formula"] + 1


def test_as_text(command, case):
    outcome = command("overhead", "--case", case)
    assert outcome.code == 0
    assert "61 + 10 n and up" in outcome.out
    lines = [line.split() for line in outcome.out.splitlines()]
    assert ["formats", "2", "10", "1", "10", "16.10", "16.10", "21.50"] in lines
    assert any(line[:2] == ["formats-gzip", "2"] and "compressed" in line for line in lines)


def test_a_case_without_sizes_says_so(command, case):
    outcome = command("overhead", "--case", case, "--topic", "no-such-topic")
    assert outcome.code == 2
    assert "no batch with its size" in outcome.err
