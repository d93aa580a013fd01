"""The known bugs of a finding on one line, and the page of one, as `explain KAFKA-14055` prints it."""

from analyzer.kafka.known_bugs import KnownBug
from analyzer.report.document.types import Finding
from analyzer.report.sentences.cells import WIDTH, pad, width, wrap
from analyzer.report.sentences.inert import inert


def known_bugs_line(finding: Finding) -> str:
    """Return the known bugs of a finding with the releases that have them, empty where there is none."""
    bugs = finding.get("known_bugs") or []
    shown = [f"{bug['issue']} ({bug['affected']})" for bug in bugs if bug["shown"]]
    others = [f"{bug['issue']} ({bug['affected']})" for bug in bugs if not bug["shown"]]
    by_release = f"possible on the brokers' release, without a sign in the files: {', '.join(others)}" if others else ""
    return "; ".join(part for part in (", ".join(shown), by_release) if part)


def owner_line(finding: Finding) -> str:
    """Return whose the id is and what its restart and an abort do, empty where nothing tells."""
    owner = finding.get("owner")
    if not owner:
        return ""
    sure = "" if owner["certain"] else "perhaps "
    return f"{sure}{owner['words']} ({owner['ground']}); {owner['restart']}; {owner['abort']}"


def bug_page(bug: KnownBug, format: str) -> str:  # noqa: A002 - the flag is --format
    """Return the page of a known bug as `text` or `markdown`: its issue, whose it is, and its parts."""
    if format == "markdown":
        parts = "\n\n".join(f"## {head}\n\n{inert(text)}" for head, text in _parts(bug))
        return f"# {bug.issue}\n\n{inert(bug.mechanism)}\n\n{parts}\n"
    lines = [pad(bug.issue, WIDTH - width(bug.software)) + bug.software, *wrap(bug.mechanism)]
    for head, text in _parts(bug):
        lines += ["", head, *wrap(text, first="  ")]
    return "\n".join(lines) + "\n"


def _parts(bug: KnownBug) -> tuple[tuple[str, str], ...]:
    """Return the parts of a known bug with their heads."""
    unread = "" if bug.ranges_read else "; only an excerpt of the issue was read, so this is no more than possible"
    parts = (
        ("Releases", bug.affected() + unread),
        ("Explains", ", ".join(bug.findings)),
        ("What speaks for it", bug.speaks),
        ("What rules it out", "; ".join((bug.against, *(f"{name} is not {value}" for name, value in bug.only_with)))),
        ("What to do", bug.remedy),
        ("What it changes in a plan", bug.step),
    )
    return tuple((head, text) for head, text in parts if text)
