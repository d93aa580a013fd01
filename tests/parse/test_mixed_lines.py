"""Pastes whose lines differ: some quoted and some not, words marked by grep, lines that Docker cut, tables below logs."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import rows_by_table
from printing import Batch, Record, forged_batch, printed

from analyzer.opening import read_line
from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

BATCHES = [Batch([Record("k", "v1"), Record("k", None)]), Batch([Record("k", "v")], 8), Batch([], marker="COMMIT")]
PLAIN, _ = printed(BATCHES, contents=False)
SHOWN, _ = printed(BATCHES, contents=True)
APART = {"line", "byte_offset", "marker_line", "marker_byte_offset"}
FOUND = (
    "Topic  Partition  ProducerId  ProducerEpoch  CoordinatorEpoch  StartOffset  LastTimestamp  Duration(min)\n"
    "events 27         171100      1              4                 913095344    1716642854560  209793\n"
)


def read(path: Path) -> dict[str, list[dict]]:
    [source] = scan_capture(CaptureRequest((str(path),))).sources()
    facts = rows_by_table(read_facts(source))
    for row in facts["batches"]:
        assert "Offset: " in read_line(path, row["byte_offset"], source.compression, source.encoding)
    return facts


def batches(facts: dict[str, list[dict]]) -> list[dict]:
    return [{name: value for name, value in row.items() if name not in APART} for row in facts["batches"]]


def written(tmp_path: Path, text: str) -> dict[str, list[dict]]:
    path = tmp_path / "paste.txt"
    path.write_text(text)
    return read(path)


def quoted(text: str, prefix: str, every: int) -> str:
    """The text with this before each line but every so-manieth."""
    return "".join(line if at % every == 1 else prefix + line for at, line in enumerate(text.splitlines(keepends=True)))


@pytest.mark.parametrize("prefix", ["> ", ">> ", "> > ", "&gt; "])
@pytest.mark.parametrize("every", [2, 3, 5])
def test_a_dump_of_which_some_lines_are_quoted(tmp_path, prefix, every):
    expected = batches(written(tmp_path, PLAIN))
    assert len(expected) == 3
    facts = written(tmp_path, quoted(PLAIN, prefix, every))
    assert batches(facts) == expected
    assert not facts["unparsed_lines"]


@pytest.mark.parametrize("prefix", ["> ", "? ", "&gt; "])
def test_a_quoted_line_within_a_payload_is_no_line_of_the_dump(tmp_path, prefix):
    value = f"v\n{prefix}{forged_batch(9, position='0')}\nw"
    text, _ = printed([Batch([Record("k", value)]), Batch([Record("k", "x")], 8)], contents=True)
    facts = written(tmp_path, text)
    assert [row["producer_id"] for row in facts["batches"]] == [
        row["producer_id"] for row in written(tmp_path, printed([Batch([Record("k", "v")]), Batch([Record("k", "x")], 8)], contents=True)[0])["batches"]
    ]  # fmt: skip
    assert 666 not in {row["producer_id"] for row in facts["batches"]}


def marked(text: str, word: str, every: int) -> str:
    """What grep --color makes of some lines of the text."""
    colour = f"\x1b[01;31m\x1b[K{word}\x1b[m\x1b[K"
    return "".join(
        line.replace(word, colour) if at % every == 0 else line
        for at, line in enumerate(text.splitlines(keepends=True))
    )


@pytest.mark.parametrize("every", [1, 2, 3])
@pytest.mark.parametrize("word", ["ffset", "Offset: 0", "producerId"])
def test_words_that_grep_marks(tmp_path, word, every):
    expected = batches(written(tmp_path, PLAIN))
    facts = written(tmp_path, marked(PLAIN, word, every))
    assert batches(facts) == expected
    assert not facts["unparsed_lines"]


def docker(text: str, most: int) -> str:
    """What Docker's json-file driver makes of a text: lines in parts of at most so many characters."""
    out = []
    for line in text.splitlines(keepends=True):
        for at in range(0, len(line), most):
            out.append(json.dumps({"log": line[at : at + most], "stream": "stdout", "time": "2026-11-21T09:13:21Z"}, separators=(",", ":")))  # noqa: PERF401  # fmt: skip
    return "".join(f"{line}\n" for line in out)


@pytest.mark.parametrize("most", [60, 100, 300])
@pytest.mark.parametrize("text", [PLAIN, SHOWN], ids=["plain", "contents"])
def test_lines_that_docker_cut(tmp_path, text, most):
    expected = written(tmp_path, text)
    paste = docker(text, most)
    facts = written(tmp_path, paste)
    assert batches(facts) == batches(expected)
    lines = paste.splitlines()
    for row in facts["batches"]:
        assert "Offset: " in json.loads(lines[row["line"] - 1])["log"]


LINE = "[2026-11-21 09:13:21,091] INFO [GroupCoordinator id=1] Stabilized group g generation 4 (kafka.server.Some)\n"


@pytest.mark.parametrize("before", ["", "broker-1  | "])
def test_a_table_below_more_than_the_head_of_logs(tmp_path, before):
    text = LINE * 1500 + FOUND + LINE * 10
    assert len(LINE) * 1500 > 1 << 17
    facts = written(tmp_path, "".join(f"{before}{line}\n" for line in text.splitlines()))
    [row] = facts["answers"]
    assert (row["topic"], row["partition"], row["first_offset"], row["line"]) == ("events", 27, 913095344, 1502)
    assert not facts["unparsed_lines"]
