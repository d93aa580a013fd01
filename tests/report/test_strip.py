"""The offset strip in letters."""

from analyzer.report.document.neighbours import strip_of
from analyzer.report.sentences.cells import width
from analyzer.report.sentences.strip import legend, strip_lines


def data(first, last, producer_id, *, own=False):
    return {"first": first, "last": last, "producer_id": producer_id, "kind": "data", "own": own}


def marker(offset, producer_id, kind):
    return {"first": offset, "last": offset, "producer_id": producer_id, "kind": kind, "own": False}


def strip(*rows, lso, high_watermark=None, beyond=False):
    return {
        "rows": [{"replica": replica, "cells": cells, "note": note} for replica, cells, note in rows],
        "lso": lso,
        "log_end": 0,
        "high_watermark": high_watermark,
        "captured_beyond": beyond,
    }


def test_a_lost_marker_is_seen_beside_the_replica_that_has_it():
    both = [data(14, 14, 1), marker(15, 1, "ABORT"), data(16, 17, 0, own=True)]
    picture = strip(("2", both, "leader"), ("1", [*both, marker(18, 0, "COMMIT")], ""), lso=16, high_watermark=18)
    assert strip_lines(picture) == [
        "    offset     14  15 | 16,17 | 18",
        "    broker 2   p1  A1 | p0    | --    leader",
        "    broker 1   p1  A1 | p0    | C0",
        "                     LSO 16  HW 18",
    ]


def test_unknown_control_batches_gaps_and_what_lies_beyond():
    cells = [{**marker(3, 7, "control")}, {"first": 4, "last": 9, "producer_id": None, "kind": "gap", "own": False}]
    picture = strip(("label", [*cells, data(10, 10, None, own=True)], ""), lso=10, beyond=True)
    assert strip_lines(picture) == [
        "    offset     3  4..9 | 10    ...",
        "    label      ?  ..   | data  ...",
        "                      LSO 10  HW not known",
    ]


def test_far_columns_are_folded_and_the_producers_own_stay():
    cells = [marker(0, 5, "ABORT"), *(data(n, n, 9) for n in range(1, 90)), data(90, 92, 5, own=True)]
    lines = strip_lines(strip(("0", [*cells, *(data(n, n, 8) for n in range(93, 200))], ""), lso=90))
    assert all(width(line) <= 80 for line in lines)
    assert lines[0].startswith("    offset     0   ...")
    assert "| 90..92" in lines[0]
    assert lines[0].endswith("...  199")


def test_nothing_to_draw_is_no_picture():
    assert strip_lines(strip(("0", [], ""), lso=4)) == []


def test_each_sign_is_explained_once_with_a_producer_of_the_picture():
    cells = [data(0, 1, 7), marker(2, 7, "ABORT"), data(3, 4, 9, own=True)]
    told: set[str] = set()
    assert (
        legend(strip(("0", cells, ""), lso=3), told)
        == "p9 = records of producer 9, A7 = ABORT marker of producer 7, | = LSO or HW"
    )
    more = [*cells, marker(5, 8, "COMMIT")]
    assert legend(strip(("0", more, ""), lso=3), told) == "C8 = COMMIT marker of producer 8"


def test_an_open_transaction_of_which_only_the_begin_is_known():
    """An answer of a tool tells where a transaction begins; a log of the partition is here, too."""
    place = {"topic": "orders", "partition": 0, "replica": "1"}
    finding = place | {"producer_id": 7, "first_offset": 3, "last_offset": None}
    rows = [
        place | {"target": 3, "base_offset": base, "last_offset": last, "producer_id": who, "is_control": False, "marker": None}
        for base, last, who in ((0, 2, 7), (3, 4, 7), (5, 5, 8), (6, 9, 7))
    ]  # fmt: skip
    told = strip_of(finding, place | {"lso": 3, "log_end_offset": 10}, rows)
    assert [(cell["first"], cell["own"]) for cell in told["rows"][0]["cells"]] == [(0, False), (3, True), (5, False), (6, True)]  # fmt: skip
