"""Foreign text in terminal cells."""

import pytest
from hypothesis import given, strategies as st

from analyzer.report.sentences.cells import cut, cut_middle, is_safe, name, visible, width, wrap


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("orders-0", "orders-0"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\u202eb\u2066c", "a\\u202eb\\u2066c"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("line\r\nend\t", "line\\r\\nend\\t"),
        ("c1\x9b", "c1\\x9b"),
        ("bytes \udc80\udcff", "bytes \\x80\\xff"),
        ("blank\u00a0\u3000", "blank\\xa0\\u3000"),
        ("\u9280\u884c caf\u00e9", "\u9280\u884c caf\u00e9"),
        ("tag \U000e0041", "tag \\U000e0041"),
    ],
)
def test_what_misleads_is_written_out(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pay-1", "pay-1"),
        ("pay 1", "'pay 1'"),
        ("it's", "'it\\'s'"),
        ("", "''"),
        ("a" * 50, "a" * 19 + "..." + "a" * 18),
    ],
)
def test_names_with_blanks_are_quoted_and_long_ones_cut(text, shown):
    assert name(text) == shown


def test_east_asian_letters_take_two_cells():
    assert width("\u9280\u884c") == 4
    assert width("e\u0301") == 1
    assert cut("\u9280\u884c\u9280\u884c", 6) == "\u9280..."
    assert cut_middle("\u9280" * 10, 11) == "\u9280\u9280...\u9280\u9280"


@given(st.text(max_size=60), st.integers(4, 30))
def test_everything_fits(text, cells):
    shown = visible(text)
    assert is_safe(shown)
    assert width(cut(shown, cells)) <= cells
    assert width(cut_middle(shown, cells)) <= cells
    lines = wrap(shown, first="> ", cells=cells)
    assert all(width(line) <= cells for line in lines)
    joined = "".join(line[2:].replace(" ", "") for line in lines)
    assert joined == shown.replace(" ", "")
