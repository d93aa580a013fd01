"""When a line was written, where its time stands as pages, spreadsheets and some programs write it."""

import pytest

LINE = (
    "[TransactionCoordinator id=1] Completed rollback of ongoing transaction for transactionalId pay-1 due to timeout"
)
MS = 1_795_252_401_000
"""2026-11-21 09:13:21 UTC"""
HOUR_MS = 3_600_000


@pytest.mark.parametrize(
    ("before", "logged"),
    [
        ("2026-11-21 09:13:21 UTC INFO ", MS),
        ("2026-11-21 09:13:21,000 GMT ", MS),
        ("2026-11-21 09:13:21,000 CET INFO ", None),
        ("2026-11-21 09:13:21 PST [x] ", None),
        ("2026-11-21T08:13:21Z 2026-11-21 09:13:21,000 CET INFO ", MS - HOUR_MS),
        ("2026-11-21 09:13:21,000 INFO ", MS),
        ('"Nov 21, 2026 @ 09:13:21.000","', MS),
        ("Nov 31, 2026 @ 09:13:21.000 ", None),
        ("11/21/2026 9:13:21 AM,host,", MS),
        ('"21/11/2026, 09:13:21","', MS),
        ("11/21/2026 09:13:21 PM,", MS + 12 * HOUR_MS),
        ("03/04/2026 9:13:21 AM,", None),
        ("04/04/2026 9:13:21 AM,", 1_775_294_001_000),
    ],
)
def test_when_a_line_was_written(read, before, logged):
    facts = read(f"{before}{LINE}\n", kind="broker_log")
    assert [(row["says"], row["logged_ms"]) for row in facts["log_lines"]] == [("rolled_back", logged)]


def test_a_time_that_is_not_known_ends_the_one_above(read):
    """The line below it is of that moment, not of the one before."""
    text = f"2026-11-21 09:13:21 UTC INFO x\n2026-11-21 11:13:21 CET ERROR x\n{LINE}\n"
    assert [row["logged_ms"] for row in read(text, kind="broker_log")["log_lines"]] == [None]
