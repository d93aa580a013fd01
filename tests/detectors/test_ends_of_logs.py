"""An admin tool's answer has the log end above the end of the copy that is here: it is not clean (RULES D 7)."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

LOG = "0..1 data p7e0 s0 @100\n2 COMMIT p7e0 @310"
STATES = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @100
2 state pay-1 p7e0 PrepareCommit orders-0 @300
3 state pay-1 p7e0 CompleteCommit @320"""
ASK = "$ kafka-get-offsets.sh --bootstrap-server b:9092 --topic orders"
GROUP = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
PASTES = {
    "nothing": "",
    "offsets, equal": f"{ASK}\norders:0:3\n",
    "offsets": f"{ASK}\norders:0:900\n",
    "earliest": f"{ASK} --time -2\norders:0:900\n",
    "another partition": f"{ASK}\norders:1:900\n",
    "a group": f"$ kafka-consumer-groups.sh --describe --group app\n{GROUP}app orders 0 3 900 897 c-1 /10.0.0.1 c\n",
    "a group, at the end": f"$ kafka-consumer-groups.sh --describe --group app\n{GROUP}app orders 0 3 3 0 c /10.0.0.1 c\n",
}


@judged_together
def documents():
    files = taken_at("11:00:00") | dumps_of({"orders-0": LOG, "__transaction_state-0": STATES})
    return {name: files | ({"paste.txt": text} if text else {}) for name, text in PASTES.items()}


def short(document):
    return [note for note in document["coverage"]["notes"] if note["kind"] == "short_log"]


@pytest.mark.parametrize("name", ["nothing", "offsets, equal", "earliest", "a group, at the end"])
def test_a_copy_that_reaches_the_answer_is_clean(documents, name):
    assert (short(documents[name]), documents[name]["verdict"]) == ([], "clean")


@pytest.mark.parametrize("name", ["offsets", "a group"])
def test_a_copy_that_ends_before_the_answer_is_not(documents, name):
    (note,) = short(documents[name])
    assert note["note"].startswith("the files end at offset 2, but the log end is 900 in paste.txt:")
    assert note["fetch"] == "a newer copy of the newest segment of orders-0"
    assert documents[name]["verdict"] == "inconclusive"


def test_an_answer_about_another_partition_says_nothing_of_this_copy(documents):
    assert short(documents["another partition"]) == []
