"""Moments in reports: day and zone with each of them, names that look like one left alone."""

import dataclasses
import json
import zoneinfo
from pathlib import Path

import pytest

from analyzer.errors import UsageError
from analyzer.report.outline.actions import action_table
from analyzer.report.rendering import render, zone
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.triage import triage
from analyzer.tables.moments import foreign, moment, sentence, stated, template, utc

NOON = 1_795_262_400_000
UTC = Clock()
BERLIN = Clock(zoneinfo.ZoneInfo("Europe/Berlin"))
DOCUMENTS = Path(__file__).parent / "documents"
NAME = "2026-11-21T09:30:42.728Z"


def read(name):
    return json.loads((DOCUMENTS / f"{name}.json").read_text("utf-8"))


def told(clock, words):
    """What a clock makes of a template, as a document has it."""
    return clock.said(stated({"why": words}), "why")


def test_a_moment_has_day_and_zone():
    assert UTC.moment(NOON + 7) == "2026-11-21 12:00:00.007 UTC"
    assert BERLIN.moment(NOON + 7) == "2026-11-21 13:00:00.007 +01:00"
    assert BERLIN.moment(1_784_620_800_000) == "2026-07-21 10:00:00.000 +02:00"
    assert UTC.moment(-1) == "-1 ms"
    assert UTC.moment(1 << 62) == f"{1 << 62} ms"


def test_under_a_head_with_the_day_a_time_of_day_is_enough():
    assert UTC.day(NOON) == "2026-11-21 UTC"
    assert UTC.under(NOON, NOON + 5) == "12:00:00"
    assert UTC.under(NOON - 86_400_000, NOON) == "2026-11-20 12:00"
    assert UTC.under(-1, NOON) == "?"
    late = NOON + 11 * 3_600_000 + 1_800_000
    assert UTC.under(late, NOON) == "23:30:00"
    assert BERLIN.under(late, NOON) == "2026-11-22 00:30"


def test_on_the_day_the_clocks_change_the_two_hours_are_told_apart():
    summer, winter = 1_792_888_200_000, 1_792_891_800_000
    assert BERLIN.under(winter, summer) == "2026-10-25 02:30 +01:00"
    assert told(BERLIN, f"{moment(summer)} and {moment(winter)}") == (
        "2026-10-25 02:30:00.000 +02:00 and 2026-10-25 02:30:00.000 +01:00"
    )


@pytest.mark.parametrize("ms", [0, 1, 999, NOON + 123, 253_370_764_799_999])
def test_what_findings_write_every_clock_reads(ms):
    assert told(UTC, moment(ms)) == UTC.moment(ms)
    assert told(BERLIN, f"WAIT until {moment(ms)}: then look") == f"WAIT until {BERLIN.moment(ms)}: then look"


def test_an_unknown_time_is_told_as_one():
    assert [moment(None), moment(-1), moment(1 << 62)] == ["an unknown time"] * 3


def test_the_second_moment_of_a_day_is_a_time_of_day():
    words = f"between {moment(NOON)} and {moment(NOON + 61_001)}, or ({moment(NOON + 86_400_000)})."
    assert told(UTC, words) == (
        "between 2026-11-21 12:00:00.000 UTC and 12:01:01.001, or (2026-11-22 12:00:00.000 UTC)."
    )


def test_under_a_heading_only_its_own_day_is_left_out():
    day = 86_400_000
    words = [f"at {moment(NOON)}", f"{moment(NOON - day)} to {moment(NOON)}", f"by {moment(NOON + day)}", f"of {NAME}"]
    heading, steps = UTC.steps(stated({"steps": [{"text": one} for one in words]}))
    assert heading == "2026-11-21 UTC"
    assert steps == [
        "at 12:00:00.000",
        "2026-11-20 12:00:00.000 UTC to 2026-11-21 12:00:00.000 UTC",
        "by 2026-11-22 12:00:00.000 UTC",
        f"of {NAME}",
    ]
    assert UTC.steps({"steps": [{"text": f"{NAME}.log"}]}) == ("", [f"{NAME}.log"])


def test_a_sentence_is_written_once_in_utc_and_says_where_its_moments_are():
    words = f"open from {moment(NOON + 7)}, \u9280 until ({moment(NOON)})"
    text, moments = sentence(words, "/why")
    assert text == "open from 2026-11-21T12:00:00.007Z, \u9280 until (2026-11-21T12:00:00.000Z)"
    assert [text[one["start"] :].startswith(utc(one["ms"])) for one in moments] == [True, True]
    assert stated({"why": words, "fetch": None}) == {"why": text, "fetch": None, "moments": moments}
    assert template(text, moments) == words
    assert stated({"why": "nothing"}) == {"why": "nothing"}


FORGED = moment(NOON)
MARKS = sorted({*FORGED} - {*str(NOON)})


@pytest.mark.parametrize(
    "name", [FORGED, MARKS[0], f"{NOON}{MARKS[1]}", chr(ord(MARKS[1]) + 1) + "0", NAME, f"a{FORGED}"]
)
def test_no_name_passes_for_a_moment_and_none_is_changed(name):
    text, moments = sentence(f"{foreign(name)} at {moment(NOON)}: {foreign(name)}")
    assert text == f"{name} at 2026-11-21T12:00:00.000Z: {name}"
    assert [one["start"] for one in moments] == [len(name) + 4]
    assert template(text, moments) == f"{foreign(name)} at {moment(NOON)}: {foreign(name)}"
    assert sentence(foreign({"id": [name]})["id"][0]) == (name, [])


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_moments_are_told_in_the_zone_that_was_asked_for(form):
    told = [render(read("late_write"), form, zone=zone(name), full=True) for name in ("utc", "Europe/Berlin")]
    utc, berlin = (report.replace("\\", "") for report in told)
    assert "taken 2026-11-21 09:45:55 UTC" in utc
    assert "taken 2026-11-21 10:45:55 +01:00" in berlin
    assert "times of 2026-11-21 UTC" in utc
    assert "times of 2026-11-21 +01:00" in berlin
    assert "decided ABORT at 09:30:42.728" in utc
    assert "decided ABORT at 10:30:42.728" in berlin
    assert "09:30:4" not in berlin
    assert "UTC" not in berlin
    assert "T09:" not in utc


@pytest.mark.parametrize(
    ("shifts", "caption", "cells"),
    [
        ([0], "Times in this table: 2026-11-21 UTC", ["12:00:00"]),
        ([1], "Times in this table: UTC", ["2026-11-20 12:00"]),
        ([0, 1], "Times in this table: 2026-11-21 UTC, where no other date is shown", ["12:00:00", "2026-11-20 12:00"]),
    ],
)
def test_the_caption_of_the_table_dates_the_times_without_a_date(shifts, caption, cells):
    document = read("late_write")
    incidents = triage(document).incidents
    aged = tuple(
        dataclasses.replace(one, since=NOON - shift * 86_400_000) for one, shift in zip(incidents, shifts, strict=False)
    )
    document["capture"]["captured_at"] = NOON + 5
    table = action_table([[one] for one in aged], document, UTC)
    assert (table.caption, [row.since for row in table.rows]) == (caption, cells)


def test_json_stays_in_utc():
    document = read("late_write")
    assert json.loads(render(document, "json", zone=zone("Europe/Berlin"))) == document
    assert "2026-11-21T09:30:42.728Z" in render(document, "json", zone=zone("Europe/Berlin"))


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize("foreign", ["transactional_id", "topic", "group", "evidence", "unparsed"])
def test_a_name_that_looks_like_a_moment_is_never_rewritten(form, foreign):
    document = read("late_write")
    head = document["findings"][0]
    head["headline"] = f"3 records of {NAME} came after their own marker"
    head["moments"] = [one for one in head["moments"] if one["sentence"] != "/headline"]
    if foreign == "evidence":
        head["evidence"][0]["text"] = f"transactionalId={NAME},state=Ongoing"
    elif foreign == "unparsed":
        run = {"file": "notes", "line": 1, "text": NAME, "reason": "no form", "lines": 1}
        document["unparsed"] = {"lines": 1, "files": [run]}
    else:
        head[foreign] = NAME
    report = " ".join(render(document, form, zone=zone("Europe/Berlin"), full=True).split())
    assert f"3 records of {NAME} came after" in report
    assert "the marker is at offset 14, 10:30:42.732" in report


def test_a_document_of_an_older_program_keeps_its_moments_complete_and_in_utc():
    document = read("late_write")
    for row in (*document["findings"], *document["open_transactions"]):
        row.pop("moments", None)
    report = " ".join(render(document, "text", zone=zone("Europe/Berlin"), full=True).split())
    assert "the marker is at offset 14, 2026-11-21T09:30:42.732Z" in report
    assert "10:30:42.732" not in report


@pytest.mark.parametrize("of", ["/headline/0", "/cause/99/x", "/nothing", "x", "", "/steps/7/text", "/action"])
def test_a_moment_that_is_nowhere_changes_nothing(of):
    document = read("late_write")
    whole = render(document, "text", full=True)
    document["findings"][0]["moments"].append({"sentence": of, "start": 3, "ms": NOON})
    assert render(document, "text", full=True) == whole


def test_the_name_of_the_capture_is_left_alone_and_stops_no_other_moment():
    document = read("late_write")
    document["capture"]["name"] = "late_write@2026-11-21T09:30:42.732Z"
    report = render(document, "text", zone=zone("Europe/Berlin"), full=True)
    assert report.startswith("txn-forensics  late_write@2026-11-21T09:30:42.732Z  Kafka")
    assert "the marker is at offset 14, 10:30:42.732" in report


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "/etc/passwd", "../UTC", "Europe", "a\0b", "CEST+2"])
def test_an_unknown_zone_says_what_was_wanted(name):
    with pytest.raises(UsageError) as told:
        zone(name)
    assert "no time zone" in told.value.message()
    assert "Europe/Berlin" in told.value.wanted


def test_moments_become_text_in_two_places():
    package = Path(__file__).parents[2] / "analyzer"
    writers = {str(path.relative_to(package)) for path in package.rglob("*.py") if "%H:" in path.read_text("utf-8")}
    assert writers == {"tables/moments.py", "report/sentences/times.py"}
