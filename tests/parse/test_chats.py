"""Exports of chats: messages in JSON, in the order in which they were posted."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import rows_by_table

from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

COMMAND = "$ kafka-transactions.sh --bootstrap-server b:9092 describe-producers --topic orders --partition 3"
HEADER = "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset"
OPEN = f"{COMMAND}\n{HEADER}\n2000\t5\t4\t9\t1795252401091\t87\n"
ENDED = f"{COMMAND}\n{HEADER}\n2000\t5\t4\t9\t1795252461091\tNone\n"


def slack(text: str, minute: int) -> dict:
    return {"type": "message", "user": "U1", "text": f"```{text}```", "ts": f"17952{minute:05}.000100"}


def teams(text: str, minute: int) -> dict:
    content = f"<div>look<pre>{text}</pre></div>".replace("\n", "<br>")
    posted = f"2026-11-21T09:{minute:02}:21.1Z"
    return {"id": "1", "createdDateTime": posted, "body": {"contentType": "html", "content": content}}


def answers(tmp_path: Path, text: str) -> list[tuple]:
    path = tmp_path / "chat.json"
    path.write_text(text)
    facts = rows_by_table(read_facts(scan_capture(CaptureRequest((str(path),))).sources()[0]))
    names = ("topic", "partition", "producer_id", "first_offset")
    return [tuple(row[name] for name in names) for row in sorted(facts["answers"], key=lambda row: row["line"])]


@pytest.mark.parametrize("of", [slack, teams])
@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("indent", [None, 2])
def test_messages_count_as_they_were_posted(tmp_path, of, newest_first, indent):
    posted = [of(OPEN, 13), of(ENDED, 14)]
    text = json.dumps({"value": posted[::-1] if newest_first else posted}, indent=indent)
    assert answers(tmp_path, text) == [("orders", 3, 2000, 87), ("orders", 3, 2000, None)]


def test_marks_that_are_written_otherwise(tmp_path):
    text = json.dumps({"value": [teams(OPEN, 13)]}).replace("<", "\\u003c").replace(">", "\\u003e")
    assert answers(tmp_path, text) == [("orders", 3, 2000, 87)]


def test_no_dump_is_read_from_marks_alone(tmp_path):
    """What a record holds may write them."""
    line = "baseOffset: 0 lastOffset: 0 count: 1 baseSequence: 0 lastSequence: 0 producerId: 7 producerEpoch: 0"
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"value": [teams(f"Dumping orders-0/00000000000000000000.log\n{line}\n", 13)]}))
    facts = rows_by_table(read_facts(scan_capture(CaptureRequest((str(path),))).sources()[0]))
    assert not facts["batches"]
