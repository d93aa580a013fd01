"""From an incident to its lines in the text report: what to do, the strip, what waits, why, the evidence, what else."""

from collections.abc import Iterator

from analyzer.report.sentences.cells import WIDTH, cut, name, visible, width, wrap
from analyzer.report.sentences.commands import action_steps, command_lines
from analyzer.report.sentences.folds import folded_elsewhere
from analyzer.report.sentences.quantities import counted, duration, size
from analyzer.report.sentences.quotes import lettered, quoted
from analyzer.report.sentences.strip import strip_lines
from analyzer.report.sentences.triage import Incident, where

Styled = tuple[str, str]
"""A style (`""`, `head`, `danger`, `action`, `quiet`) and a line."""
EVIDENCE_LINES = 8
"""More lines of evidence than these are left to the JSON report."""
_DEFAULTS = {
    "do not abort yet": "DO NOT ABORT YET.",
    "abort": "ABORT IT.",
    "tell the readers": "TELL THE READERS. No command repairs what they have seen.",
    "see below": "No abort repairs this.",
    "wait": "WAIT.",
    "cannot tell": "DO NOT ABORT: the capture cannot tell.",
}
_ID_AT, _TEXT_CELLS, _LETTERS_AT = 58, 64, 66
_FIELD = 14


def incident_lines(incident: Incident) -> list[Styled]:
    """Return the incident in full, at most 80 cells wide."""
    finding = incident.finding
    place = name(where(finding))
    lines = [
        ("head", line)
        for line in wrap(f"{place}: {visible(finding['headline'])}", first=f"[{incident.number}] ", rest="    ")
    ]
    lines += [("quiet", line) for line in _identity(incident)]
    lines += [("", ""), *_action(incident)]
    strip = finding.get("strip")
    picture = strip_lines(strip) if strip else []
    lines += [("", line) for line in (["", *picture] if picture else [])]
    body = [*_waiting(incident), *_why(incident), *_elsewhere(incident), *_rest(incident)]
    return [*lines, ("", ""), *(("", line) for line in body)]


def action_summary(incident: Incident) -> str:
    """Return the sentence that says what to do, the imperative first."""
    return visible(incident.finding["action"].get("summary") or _DEFAULTS[incident.action])


def waiting_sentence(incident: Incident) -> str:
    """Return what waits behind the last stable offset, for how long, and which groups; or nothing."""
    waiting = incident.finding.get("waiting")
    if not waiting:
        return ""
    parts = [counted(waiting["records"], "record"), size(waiting["bytes"])]
    if waiting["transactions"]:
        parts.insert(1, f"{counted(waiting['transactions'], 'transaction')} of others")
    composed = f"{counted(waiting['offsets'], 'offset')}: {', '.join(parts)}"
    text = visible(waiting.get("text") or composed).rstrip(".")
    length, groups = waiting["for_ms"], waiting["groups"]
    text += f", for {duration(length)}." if length is not None else "."
    if groups is None:
        return text + " Groups: unknown, no dump of __consumer_offsets"
    return f"{text} Groups: {', '.join(map(name, groups)) or 'none'}"


def further(incident: Incident) -> list[tuple[str, str]]:
    """Return (label, text) of what follows the evidence: cause, other explanations, what refutes, what settles."""
    finding = incident.finding
    fields = [("cause", "; ".join(finding["cause"])), ("else", finding.get("else") or "")]
    fields += [("refuted", finding["refuted_by"]), ("settled", finding.get("settled_by") or "")]
    words = {"refuted": "by ", "settled": "by "}
    return [(label, words.get(label, "") + visible(text)) for label, text in fields if text]


def _identity(incident: Incident) -> list[str]:
    """Return the line with name, code, severity, confidence and id, and what folds under it."""
    finding = incident.finding
    line = f"    {name(finding['name'])} {name(finding['code'])}, {finding['severity']}, {finding['confidence']}"
    identity = name(finding["id"])
    gap = max(2, min(_ID_AT, WIDTH - width(identity)) - width(line))
    fits = width(line) + gap + width(identity) <= WIDTH
    lines = [line + " " * gap + identity] if fits else [line, f"    {identity}"]
    if incident.folded:
        names = dict.fromkeys(f"{name(one['name'])} {name(one['code'])}" for one in incident.folded)
        lines += wrap("folded: " + ", ".join(names), first="    ", rest="      ")
    return lines


def _action(incident: Incident) -> Iterator[Styled]:
    """Yield the box: the sentence, then the commands in the order to run them."""
    style = "danger" if incident.action == "do not abort yet" else "action"
    steps = action_steps(incident)
    summary = action_summary(incident)
    numbered = incident.finding["action"]["kind"] == "save_then_abort"
    if steps and numbered:
        summary += " To free the readers and keep the data:"
    elif steps:
        summary += " " + ", ".join(words.removesuffix(":") for words, _, _ in steps).capitalize() + ":"
    yield from ((style, line) for line in wrap(summary, first="    ", cells=WIDTH - 3))
    for number, (words, command, expect) in enumerate(steps, 1):
        if numbered:
            yield from (("", line) for line in wrap(visible(words), first=f"      {number} "))
        if command:
            yield from (("", line) for line in command_lines(command, expect=expect, indent=8))
    warning = incident.finding["action"].get("warning")
    if warning:
        yield from ((style, line) for line in wrap("Mind: " + visible(warning), first="    ", cells=WIDTH - 3))


def _waiting(incident: Incident) -> list[str]:
    """Return the lines on what waits."""
    sentence = waiting_sentence(incident)
    return _field("waiting", sentence) if sentence else []


def _why(incident: Incident) -> Iterator[str]:
    """Yield the steps with their letters on the right, then the evidence by letter."""
    steps, quotes = lettered(incident.finding)
    yield "    why"
    for text, letters in steps:
        *lines, last = wrap(text, first="      ", cells=_TEXT_CELLS)
        yield from lines
        marks = wrap(" ".join(f"[{letter}]" for letter in letters), cells=WIDTH - _LETTERS_AT)
        yield f"{last}{' ' * (_LETTERS_AT - width(last))}{marks[0]}".rstrip()
        yield from (" " * _LETTERS_AT + mark for mark in marks[1:])
    if quotes:
        yield "    evidence"
    for quote in quotes[:EVIDENCE_LINES]:
        place = f"{quote.place}  {quote.label}" if quote.label else quote.place
        yield from wrap(place, first=f"      [{quote.letter}] ", rest=" " * 10)
        yield cut(" " * 10 + quoted(quote.text, WIDTH - 10), WIDTH)
    if len(quotes) > EVIDENCE_LINES:
        yield f"      and {counted(len(quotes) - EVIDENCE_LINES, 'line')} more in the JSON report"


def _elsewhere(incident: Incident) -> Iterator[str]:
    """Yield what folds under it in other places: a line each."""
    shown, hidden = folded_elsewhere(incident)
    if shown:
        yield "    with it"
    for text in shown:
        yield from wrap(text, first="      ", rest="        ")
    if hidden > 0:
        yield f"      and {hidden} more in the JSON report"


def _rest(incident: Incident) -> Iterator[str]:
    """Yield cause, other explanations, what would refute it, what would settle it."""
    for label, text in further(incident):
        yield from _field(label, text)


def _field(label: str, text: str) -> list[str]:
    """Return a labelled paragraph."""
    return wrap(text, first=f"    {label}".ljust(_FIELD), rest=" " * _FIELD)
