"""The word for what to do about a finding, as every format shows it, and what folded findings add to their head's."""

from collections.abc import Sequence

from analyzer.report.document.types import Finding
from analyzer.report.sentences.quantities import counted
from analyzer.tables.action_words import CALM, ActionWord, Impact

_OLDER: dict[str, ActionWord] = {
    "save_then_abort": "do not abort yet", "abort": "abort", "wait": "wait", "fetch": "cannot tell",
}  # fmt: skip
"""The words by the kind of action, for documents of versions that wrote none."""


def action_word(finding: Finding) -> ActionWord:
    """Return the word of a finding's action; of a document that has none, what its kind allows to say."""
    action = finding["action"]
    word = action.get("word")
    if word is not None:
        return word
    if action["kind"] == "abort" and only_possible(finding, "it hangs"):
        return "check first"
    return _OLDER.get(action["kind"]) or ("notify consumers" if finding.get("silent") else "see below")


def impact_of(finding: Finding) -> Impact | None:
    """Return what readers were given, None if nothing is known to have reached them."""
    readers = finding.get("readers")
    if readers:
        return readers["impact"]
    return "wrong_data" if finding.get("silent") else None


def only_possible(finding: Finding, question: str) -> bool:
    """Return whether the finding answers this question about its certainty with no more than `possible`."""
    parts = finding.get("certainty") or []
    return any(one["question"] == question and one["answer"] == "possible" for one in parts)


def asks_owner(finding: Finding) -> bool:
    """Return whether the finding says of itself that only the owner of the id knows whether an abort is safe."""
    return any(one["answer"] == "ask" for one in finding.get("certainty") or [])


def said_upwards(head: Finding, folded: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the folded findings whose action a reader of the head must know too, one for each word and place.

    Those that tell what readers were given, files that exist nowhere else, and all where the head points to them.
    """
    known = {(action_word(head), head["topic"], head["partition"])}
    found: list[Finding] = []
    for one in folded:
        word = action_word(one)
        points = action_word(head) == "see its findings" and word not in CALM
        if word == "copy files first" and head["action"]["kind"] == "rescue":
            continue
        key = (word, one["topic"], one["partition"])
        if key not in known and (impact_of(one) or word == "copy files first" or points) and word not in CALM:
            known.add(key)
            found.append(one)
    return tuple(found)


def also(finding: Finding) -> str:
    """Return what a folded finding adds, in a few words and with its own: `3 records are lost: notify the producer`."""
    readers = finding.get("readers")
    number = readers.get("records") if readers else None
    records = "records" if number is None else counted(number, "record")
    told = {
        "wrong_data": f"readers were shown {records} wrongly",
        "lost_data": f"{records} {'is' if number == 1 else 'are'} lost to readers",
        "key_order": "keys were read out of order",
        None: finding.get("label") or finding["name"],
    }[impact_of(finding)]
    return f"{told}: {action_word(finding)}"
