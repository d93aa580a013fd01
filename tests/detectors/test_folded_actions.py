"""What is folded under another finding gives its action upwards where a reader of the head must know it too."""

from analyzer.report.rendering import render
from analyzer.report.sentences.action_words import said_upwards
from analyzer.report.triage.triage import triage

CLEANED = "marker_cleaned_away - The next marker of the same producer has ended the data"
FORGOTTEN = "coordinator_forgot"


def head_and_folded(document, code):
    folded = next(one for one in document["findings"] if one["code"] == code)
    return next(one for one in document["findings"] if one["id"] == folded["folded_under"]), folded


def test_what_readers_were_shown_for_certain_is_told_beside_a_cause_that_is_only_likely(judged):
    document = judged[CLEANED]
    head, slipped = head_and_folded(document, "TXN011")
    assert (head["code"], head["confidence"], slipped["confidence"]) == ("TXN007", "likely", "certain")
    assert (head["action"]["word"], slipped["action"]["word"]) == ("upgrade brokers", "notify consumers")
    text = " ".join(render(document, "text", full=True).split())
    assert "CONSUMERS MAY HAVE READ WRONG DATA (1 finding)." in text
    assert head["action"]["summary"] in text
    assert f"Also, certain (slipped_into_next_transaction TXN011): {slipped['action']['summary']}" in text
    for form in ("text", "markdown", "html"):
        report = " ".join(render(document, form).split())
        assert "upgrade brokers" in report
        assert "readers were shown 2 records" in report
    assert ", upgrade brokers, also notify consumers [" in render(document, "concise")
    assert ", upgrade brokers, also notify consumers [" in head["alert_line"]


def test_a_head_that_points_to_its_findings_tells_what_they_say(judged):
    (document,) = [
        one
        for name, one in judged.items()
        if name.startswith(FORGOTTEN) and any(each["code"] == "TXN014" for each in one["findings"])
    ]
    (incident,) = [one for one in triage(document).incidents if one.finding["code"] == "TXN014"]
    assert incident.action == "see its findings"
    assert incident.folded
    assert {one["id"] for one in incident.also} == {one["id"] for one in incident.folded}
    text = " ".join(render(document, "text", full=True).split())
    assert all(one["action"]["summary"] in text for one in incident.folded)


def test_what_the_head_says_itself_is_not_said_twice(judged):
    told = 0
    for document in judged.values():
        for one in triage(document).incidents:
            words = [(each["action"]["word"], each["topic"], each["partition"]) for each in (one.finding, *one.also)]
            assert len(words) == len(set(words))
            told += bool(one.folded and not one.also)
    assert told
    assert said_upwards(document["findings"][0], ()) == ()
