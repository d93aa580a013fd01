"""Numbers as words."""

import pytest

from analyzer.report.sentences.quantities import duration, size, span


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


def test_offsets():
    assert (span(None, None), span(4, 4), span(4, None), span(4, 9)) == ("-", "4", "4", "4..9")
