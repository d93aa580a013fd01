"""Commands as lines that can be pasted into a shell, and the order in which to run them."""

import re

from analyzer.report.document.types import Action
from analyzer.report.sentences.cells import WIDTH, is_safe, name, visible, width, wrap
from analyzer.report.sentences.triage import Incident

UNSAFE = "no command: its name has bytes that a shell cannot carry safely; use a client"
_WORD = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""")
_LEAST = 8
_CONTINUED = 2


def command_lines(command: str, *, expect: str = "", indent: int = 0, cells: int = WIDTH) -> list[str]:
    r"""Return the command on lines of at most so many cells, indented, each but the last ended by a backslash.

    The words stay as they are: the document's commands are quoted already. A line breaks before a subcommand or an
    option, else before a word; a word longer than a line goes on in column 0, where a shell puts it together again.
    `expect` follows as a comment. A command with control or format characters is not printed: `UNSAFE` says why.
    """
    words = _WORD.findall(command)
    if not is_safe(command) or _WORD.sub("", command).strip(" "):
        return wrap(UNSAFE, first=" " * indent, cells=cells)
    lines = _fill(words, indent, cells)
    if not expect:
        return lines
    comment = f"# want: {visible(expect)}"
    if width(lines[-1]) + 2 + width(comment) <= cells:
        return [*lines[:-1], f"{lines[-1]}  {comment}"]
    return [*lines, *wrap(comment, first=" " * indent, rest=" " * indent + "# ", cells=cells)]


def action_steps(incident: Incident) -> list[tuple[str, str, str]]:
    """Return what to do in order: a sentence, its command (may be empty), what the command should answer.

    The order is the safe one: an abort is the last command, after a look at the cluster, for the capture is old.
    """
    action, owner = incident.finding["action"], incident.finding["transactional_id"]
    steps: list[tuple[str, str, str]] = []
    saves = action["kind"] == "save_then_abort"
    if saves and owner is not None:
        steps.append((f"stop {name(owner)}: its next marker here would decide these records too", "", ""))
    if action.get("save_command"):
        steps.append(("save the records:", action["save_command"] or "", ""))
    if action.get("check_command"):
        steps.append((_look(action), action["check_command"] or "", action.get("check_expect") or ""))
    if action.get("command"):
        steps.append((_deed(action), action["command"] or "", ""))
    if saves and action.get("command"):
        steps.append(("produce the records again; they get new offsets", "", ""))
    return steps


def _look(action: Action) -> str:
    """Return the words before the command that looks first."""
    if not action.get("command"):
        return "look at it with:"
    return "check that the cluster still matches this capture:"


def _deed(action: Action) -> str:
    """Return the words before the command that changes something or fetches."""
    return {"abort": "then abort:", "save_then_abort": "then abort:", "fetch": "fetch it with:"}.get(
        action["kind"], "then:"
    )


def _fill(words: list[str], indent: int, cells: int) -> list[str]:
    """Return the words on lines; an option and its value stay together where they can."""
    whole = " " * indent + " ".join(words)
    if width(whole) <= cells:
        return [whole]
    lines: list[str] = []
    line = ""
    for group in _groups(words):
        fits = indent + 2 + width(" ".join(group)) + _CONTINUED <= cells
        for piece in [" ".join(group)] if fits else group:
            starts = bool(line) and not piece.startswith("-") and fits
            if line and not starts and width(line) + 1 + width(piece) + _CONTINUED <= cells:
                line = f"{line} {piece}"
                continue
            lines += [line + " \\"] if line else []
            *broken, line = _break(" " * (indent + 2 if line else indent) + piece, cells)
            lines += broken
    return [*lines, line]


def _groups(words: list[str]) -> list[list[str]]:
    """Return the words with every option (`--topic`) at the head of its values."""
    groups: list[list[str]] = []
    for word in words:
        if groups and not word.startswith("--") and len(groups[-1]) == 1 and groups[-1][0].startswith("--"):
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


def _break(word: str, cells: int) -> list[str]:
    r"""Return one word in pieces that a shell joins again: `'ab'\` and, in column 0, `'cd'`."""
    if width(word) + _CONTINUED <= cells:
        return [word]
    pieces: list[str] = []
    piece, quote = "", ""
    for index, letter in enumerate(word):
        piece += letter
        if letter == quote:
            quote = ""
        elif not quote and letter in "'\"":
            quote = letter
        if index + 1 < len(word) and letter != "\\" and piece.strip() and width(piece) + _LEAST > cells:
            close = "'" if quote == "'" else ""
            pieces.append(f"{piece}{close}\\")
            piece = close
    return [*pieces, piece]
