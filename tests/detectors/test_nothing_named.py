"""An answer of find-hanging without a row says something, and not everything (RULES F 1 d)."""

import pytest
from judged_captures import documents_of

ASK = "$ kafka-transactions.sh --bootstrap-server b:9092 find-hanging --broker-id 1\n"
HEAD = "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\n"
ROW = "orders\t4\t88\t3\t9\t101\t1735689600000\t321\n"
CAPTURES = {
    "nothing": ASK + HEAD,
    "nothing, and words": "Hi all\n" + ASK + HEAD + "so what now\n",
    "then nothing": ASK + HEAD + ROW + ASK + HEAD,
    "a row": ASK + HEAD + ROW,
    "first nothing": ASK + HEAD + ASK + HEAD + ROW,
    "a row that is cut": ASK + HEAD + "orders\t4\t88\n",
    "through grep": ASK.replace("\n", " | grep bills\n") + HEAD,
}


@pytest.fixture(scope="module")
def notes(spark, tmp_path_factory):
    captures = {name: {"paste.txt": text} for name, text in CAPTURES.items()}
    documents = documents_of(spark, tmp_path_factory.mktemp("nothing"), captures)
    return {
        name: [one["note"] for one in document["coverage"]["notes"] if one["kind"] == "nothing_named"]
        for name, document in documents.items()
    }


@pytest.mark.parametrize(("name", "line"), [("nothing", 2), ("nothing, and words", 3), ("then nothing", 5)])
def test_an_answer_without_a_row_is_told(notes, name, line):
    (note,) = notes[name]
    assert note.startswith(
        f"find-hanging --bootstrap-server b:9092 --broker-id 1 named nothing (paste.txt:{line}): of what it asked about"
    )


@pytest.mark.parametrize("name", ["a row", "first nothing", "a row that is cut", "through grep"])
def test_where_a_row_stands_or_may_be_left_out_nothing_is_said(notes, name):
    assert notes[name] == []
