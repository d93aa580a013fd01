"""What stderr says of a stage that reads: share, bytes, rate and rest; and what every stage took."""

import pytest

from analyzer.cli import progress

MIB = 1 << 20


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is set."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_rate_and_rest_are_those_of_the_last_seconds(clock):
    shown, done = progress.Progress(quiet=True), [0]
    shown.bytes("parse", lambda: done[0], 100 * MIB)
    assert str(shown.__rich__()) == f"parse         [{'.' * 12}]   0 %  0 of 100 MiB  0 s"
    clock[0], done[0] = 104.0, 40 * MIB
    assert str(shown.__rich__()).endswith("40 %  40 of 100 MiB  10.0 MiB/s  about 6 s left  4 s")
    clock[0], done[0] = 120.0, 50 * MIB
    assert "50 %" in str(shown.__rich__())
    clock[0], done[0] = 121.0, 55 * MIB
    assert str(shown.__rich__()).endswith("55 of 100 MiB  5.0 MiB/s  about 9 s left  21 s")


def test_a_session_that_does_not_answer_any_more_changes_nothing(clock):
    shown = progress.Progress(quiet=True)
    shown.bytes("parse", lambda: 1 // 0, 10 * MIB)
    assert "0 of 10 MiB" in str(shown.__rich__())


def test_off_a_terminal_a_long_stage_is_a_line_and_a_short_one_nothing(clock, capsys):
    with progress.Progress() as shown:
        shown.stage("lifecycles")
        clock[0] += 3
        shown.stage("detectors")
        clock[0] += 1
        shown.stage("lifecycles")
    assert capsys.readouterr().err == "lifecycles    3 s\n"
    assert shown.took == {"scan": 0.0, "lifecycles": 3.0, "detectors": 1.0}
