"""Numbers as words."""

import pytest

from analyzer.report.sentences.quantities import clock, duration, moment, size, span

NOON = 1_795_262_400_000


@pytest.mark.parametrize(
    ("amount", "words"),
    [(0, "0 B"), (1023, "1023 B"), (1460, "1.4 K"), (15_000, "15 K"), (5 << 20, "5.0 M"), (1 << 60, "1048576 T")],
)
def test_sizes_step_by_1024(amount, words):
    assert size(amount) == words


@pytest.mark.parametrize(
    ("length_ms", "words"),
    [(840, "840 ms"), (59_999, "59 s"), (912_924, "15 min 12 s"), (7_500_000, "2 h 5 min"), (200_000_000, "2 d 7 h")],
)
def test_durations_have_two_units(length_ms, words):
    assert duration(length_ms) == words


def test_times_are_utc_and_name_the_day_where_it_is_another():
    assert moment(NOON + 7) == "2026-11-21 12:00:00.007"
    assert clock(NOON, NOON + 5) == "12:00:00"
    assert clock(NOON - 86_400_000, NOON) == "11-20 12:00"
    assert clock(0, NOON) == "1970-01-01"
    assert clock(-1, NOON) == "?"
    assert clock(NOON, None) == "2026-11-21"
    assert moment(1 << 62) == f"{1 << 62} ms"


def test_offsets():
    assert (span(None, None), span(4, 4), span(4, None), span(4, 9)) == ("-", "4", "4", "4..9")
