"""Lines that several answers have: tables, evidence, the commands of the next step."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analyzer.kafka.reaching.reach import UNKNOWN, Reach
from analyzer.report.sentences.cells import WIDTH, pad, pad_left, visible, width, wrap
from analyzer.report.sentences.commands import before_commands, command_lines

MARGIN = "  "


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> Iterator[str]:
    """Yield a table with its heads, if any; the columns `right` are aligned right. Nothing where there are no rows."""
    if not rows:
        return
    every = [*([tuple(heads)] if heads else []), *map(tuple, rows)]
    widths = [max(width(row[at]) for row in every) for at in range(len(every[0]))]
    for row in every:
        cells = [
            pad_left(cell, widths[at]) if at in right else pad(cell, widths[at]) for at, cell in enumerate(row)
        ]  # fmt: skip
        yield (MARGIN + "  ".join(cells)).rstrip()


def told(label: str, text: str) -> list[str]:
    """Return a fact under its label, wrapped."""
    return wrap(text, first=f"{MARGIN}{label:<12} ", rest=" " * 15)


def evidence(quotes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield quotes: where each stands, then the line as it is."""
    if quotes:
        yield ""
        yield "Evidence"
    for quote in quotes:
        at = f":{quote['line']}" if quote.get("line") is not None else f" at byte {quote.get('position')}"
        yield from wrap(f"{visible(quote['file'])}{at} ({visible(quote['label'])})", first=MARGIN, rest=MARGIN * 2)
        yield from wrap(visible(quote["text"]), first=MARGIN * 2, rest=MARGIN * 2)


def next_steps(steps: Sequence[Mapping[str, Any]], kept: str, reach: Reach = UNKNOWN) -> Iterator[str]:
    """Yield the commands of the next step, each after what it is for; first what a reader must know of `reach`.

    `kept` is what `place_options` gives.
    """
    if steps:
        yield ""
        yield "Next"
    for before in before_commands([step.get("command") or "" for step in steps], reach):
        yield from wrap(before, first=MARGIN, rest=MARGIN)
    for step in steps:
        yield from wrap(f"{visible(step['for'])}:", first=MARGIN, rest=MARGIN * 2)
        if step.get("fetch") is not None:
            yield from wrap(visible(step["fetch"]), first=MARGIN * 2, rest=MARGIN * 2, cells=WIDTH)
        else:
            yield from command_lines(_command(step, kept), indent=4)


def _command(step: Mapping[str, Any], kept: str) -> str:
    for word in ("explain", "txn", "who"):
        if step.get(word) is not None:
            given = shlex.quote(step[word])
            # what follows `--` is no option any more
            words = f"{kept} -- {given}" if step[word].startswith("-") else f"{given} {kept}"
            return f"txn-forensics {word} {words}"
    return step.get("command") or ""
