"""Random excerpts of real dumps, as people post them: nobody is accused whom the whole dump does not accuse."""

import pytest
from excerpts import random_excerpt
from judged_together import Document
from less_evidence import surer
from parts import Part
from test_parts import FEW, MANY, judged_with_the_whole


@pytest.fixture(scope="module")
def excerpts(spark, lab, soak, tmp_path_factory) -> list[tuple[Part, Document, Document]]:
    """Excerpts with their documents and those of the whole dumps."""
    root = tmp_path_factory.mktemp("excerpts")
    return judged_with_the_whole(spark, lab / "dev", random_excerpt, MANY if soak else FEW, root)


def test_an_excerpt_is_never_surer_than_the_whole(excerpts):
    wrong = {part: surer(document, whole) for part, document, whole in excerpts}
    assert {part: said for part, said in wrong.items() if said} == {}


def test_where_every_log_was_cut_nothing_is_clean(excerpts):
    cut = [(part, document["verdict"]) for part, document, _ in excerpts if part.done.startswith("all ")]
    assert cut
    assert [part for part, verdict in cut if verdict == "clean"] == []


def test_an_excerpt_says_what_it_lacks(excerpts):
    texts = [note["note"] for _, document, _ in excerpts for note in document["coverage"]["notes"]]
    for words in ("this is an excerpt of a dump", "bytes of segment", "where the log ends, and its LSO, are not known"):
        assert any(words in text for text in texts), words
