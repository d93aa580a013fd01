"""The heads of mail that goes on below, and when that was written."""

import pytest

from analyzer.kafka.pasting.mails import Mails, moment_of


def depths(text):
    """By how many mails each line is older than the one on top, of the lines that are no part of a head."""
    mails = Mails()
    told = [(mails.take(line, at), mails.older, line) for at, line in enumerate(text.splitlines(), 1)]
    return {line: older for taken, older, line in told if not taken and line.strip()}


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("Sent: Monday, February 2, 2026 3:54 PM", "2026-02-02T15:54:00+00:00"),
        ("Gesendet: Montag, 2. Februar 2026 03:54", "2026-02-02T03:54:00+00:00"),
        ("Date: Mon, 2 Feb 2026 03:54:11 -0500", "2026-02-02T08:54:11+00:00"),
        ("Envoyé : mardi 3 mars 2026 14:22", "2026-03-03T14:22:00+00:00"),
        ("Enviado el: martes, 3 de marzo de 2026 12:05", "2026-03-03T12:05:00+00:00"),
        ("Am 02.02.2026 um 03:54 schrieb Bob:", "2026-02-02T03:54:00+00:00"),
        ("Sent: 2/3/2026 3:54 PM", None),
        ("Sent: Monday, February 30, 2026 3:54 AM", None),
    ],
)
def test_when_a_mail_was_written(line, written):
    moment = moment_of(line)
    assert (moment.isoformat() if moment else None) == written


def test_each_head_leads_to_an_older_mail():
    text = "a\nFrom: Bob\nSent: 2/3/2026 3:54 PM\nTo: Ann\nb\n-----Original Message-----\nFrom: Ann\nSent: 2/2/2026\nc"
    assert depths(text) == {"a": 0, "b": 1, "c": 2}


def test_a_mark_without_a_head_counts_too():
    assert depths("a\n---------- Forwarded message ---------\nb\nOn Mon, Feb 2, 2026 Bob wrote:\nc") == {
        "a": 0, "b": 1, "c": 2,
    }  # fmt: skip


def test_dates_tell_mails_in_their_order():
    sent = "From: Bob\nSent: Monday, February 2, 2026 {} AM\nSubject: RE: stuck\n{}\n"
    assert depths(sent.format("3:54", "a") + sent.format("4:10", "b")) == {"a": 1, "b": 0}


@pytest.mark.parametrize("line", ["Sent: 5 records", "To: nobody", "Subject: x", "On broker 1 it hangs:"])
def test_what_is_no_head_is_left_alone(line):
    assert depths(f"a\n{line}\nb") == {"a": 0, line: 0, "b": 0}
