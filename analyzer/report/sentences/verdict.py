"""From a triaged document to its first sentences: what capture this is, and the verdict in capitals."""

from analyzer.report.document.types import Document
from analyzer.report.sentences.cells import visible
from analyzer.report.sentences.quantities import counted, moment, size
from analyzer.report.sentences.triage import Triage
from analyzer.tables import BLINDING_KINDS


def capture_sentences(document: Document) -> tuple[str, str]:
    """Return the two lines on the capture: its name and moment, and what was read."""
    capture, coverage = document["capture"], document["coverage"]
    at, source = capture["captured_at"], visible(capture["captured_at_source"] or "no source")
    taken = "taken at an unknown time" if at is None else f"taken {moment(at)} UTC ({source})"
    version = capture.get("kafka_version")
    read = f"{counted(coverage['files'], 'file')} ({size(coverage['bytes'])})"
    brokers = counted(len(coverage["replicas"]), "replica" if _labels(coverage["replicas"]) else "broker")
    parts = [f"Kafka {visible(version)}"] if version else []
    parts += [read, brokers, f"{counted(document['unparsed']['lines'], 'line')} not understood"]
    return f"{visible(capture['name'])}  {taken}", ", ".join(parts)


def verdict_sentences(document: Document, triaged: Triage) -> list[str]:
    """Return the verdict: one sentence with capitals first, then the cause where all incidents share one."""
    error = document.get("error")
    if error is not None:
        hints = [
            f"{word}: {visible(text)}"
            for word in ("wanted", "do")
            if (text := error.get(word)) and isinstance(text, str)
        ]
        return [f"NOTHING TO JUDGE: {visible(error['found'])}", *hints]
    if triaged.incidents:
        return [_found(triaged), *_shared_cause(triaged)]
    if document["verdict"] == "inconclusive":
        return [_open_question(document, len(triaged.undecided))]
    sentence = "NOTHING HANGS in what this capture shows, and no check found an error."
    if triaged.asides:
        sentence = f"NOTHING HANGS in what this capture shows. {counted(len(triaged.asides), 'remark')} below."
    return [sentence]


def checks_sentence(document: Document) -> str:
    """Return how many checks found something, found nothing, were skipped, failed, and what computed them."""
    runs = document["detector_runs"]
    ran = [one for one in runs if one["status"] == "ran"]
    found = sum(one["findings"] > 0 for one in ran)
    parts = [f"{found} found something", f"{len(ran) - found} found nothing"]
    for status in ("skipped", "failed"):
        number = sum(one["status"] == status for one in runs)
        parts += [f"{number} {status}"] if number else []
    engine = document["coverage"].get("engine")
    on = f" on {visible(engine)}" if engine else ""
    return f"{counted(len(runs), 'check')}{on}: " + ", ".join(parts)


def _labels(replicas: list[str]) -> bool:
    """Return whether some replica is known by a label instead of a broker's number."""
    return not all(one.isdecimal() for one in replicas)


def _found(triaged: Triage) -> str:
    """Return the sentence on what was found and how many of it must not be aborted."""
    stuck = len(triaged.stuck)
    others = sum(one.apart for one in triaged.incidents)
    parts = [f"{counted(stuck, 'PARTITION IS', 'PARTITIONS ARE')} STUCK"] if stuck else []
    parts += [counted(triaged.silent, "SILENT ERROR", "SILENT ERRORS")] if triaged.silent else []
    if others > 0:
        parts.append(counted(others, *(("OTHER FINDING", "OTHER FINDINGS") if parts else ("FINDING", "FINDINGS"))))
    sentence = ", ".join(parts) + "." + _not_to_abort(triaged.not_to_abort, triaged.to_end)
    if triaged.undecided:
        sentence += f" No verdict on {counted(len(triaged.undecided), 'more open transaction')}."
    return sentence


def _not_to_abort(number: int, out_of: int) -> str:
    """Return the warning, or nothing."""
    if not number:
        return ""
    if number == out_of:
        return " Do not abort it yet." if number == 1 else f" None of the {number} transactions may be aborted yet."
    return f" {number} of the {out_of} transactions must not be aborted yet."


def _shared_cause(triaged: Triage) -> list[str]:
    """Return the cause that all incidents name first, where there are several."""
    causes = {tuple(one.finding["cause"][:1]) for one in triaged.incidents}
    if len(triaged.incidents) == 1 or len(causes) != 1 or causes == {()}:
        return []
    return [f"Cause: {visible(causes.pop()[0])}"]


def _open_question(document: Document, undecided: int) -> str:
    """Return the sentence of a capture that cannot tell: how many transactions are undecided, or what is missing."""
    if undecided:
        transactions = counted(undecided, "OPEN TRANSACTION", "OPEN TRANSACTIONS")
        return f"NO VERDICT ON {transactions}. Do not abort on this report alone."
    blind = [note for note in document["coverage"]["notes"] if note["kind"] in BLINDING_KINDS]
    if not blind:
        return "NO VERDICT: the capture does not show enough. What to fetch stands below."
    first = min(blind, key=lambda note: BLINDING_KINDS.index(note["kind"]))
    more = f" and {counted(len(blind) - 1, 'more gap')}" if len(blind) > 1 else ""
    return f"NO VERDICT: {visible(first['note'])}{more}. What to fetch stands below."
