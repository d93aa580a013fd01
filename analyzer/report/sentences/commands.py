"""Commands as lines that can be pasted into a shell, and those of our own that save records."""

import re
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from analyzer.kafka.reaching.reach import OPTIONS, Reach
from analyzer.report.document.types import Document
from analyzer.report.sentences.cells import WIDTH, is_safe, visible, width, wrap

UNSAFE = "no command: its name has bytes that a shell cannot carry safely; use a client"
BOOTSTRAP = "$BOOTSTRAP in the commands below is the address of a broker: BOOTSTRAP=HOST:9092"
CHECK = (
    "Check that it is the cluster you mean; report --bootstrap HOST:PORT, --command-config FILE and --exec PREFIX give "
    "another way."
)
SECURED = (
    "On a secured cluster every command needs --command-config FILE, kafka-transactions.sh before its subcommand "
    "(describe-producers, describe, abort); only kafka-console-consumer.sh before 4.2 takes --consumer.config FILE "
    "instead."
)
NOT_KEPT = "CASE: this run kept nothing. Run it again with --case FOLDER, and put the folder in the place of CASE."
LOST_FOLDER = "rescued-lost"
_WORD = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""")
_LEAST = 8
_WORD_END = 28
"""Cells before the end of a line in which a quoted command is rather broken at a space."""
_CONTINUED = 2


def before_commands(commands: Iterable[str], reach: Reach) -> tuple[str, ...]:
    """Return what a reader must know before the first of these commands; nothing where none asks a cluster."""
    if not any("--bootstrap-server" in command for command in commands):
        return ()
    told = [] if reach.bootstrap else [f"{BOOTSTRAP}."]
    if reach and reach.source != OPTIONS:
        told.append(f"The commands below reach the brokers as the one in {visible(reach.source)} does. {CHECK}")
    told += [] if reach.command_config else [SECURED]
    return (" ".join(told),) if told else ()


def case_option(case: str) -> str:
    """Return the option that names a case; a placeholder where the run kept none, see `NOT_KEPT`."""
    return f"--case {shlex.quote(case) if case else 'CASE'}"


def place_options(case: str, capture: str) -> str:
    """Return the options that name one capture of a case: later runs into it make another one the newest."""
    return f"{case_option(case)} --capture {shlex.quote(capture)}" if case else case_option(case)


def place_of(document: Document) -> str:
    """Return the options that name this document's capture."""
    return place_options(document["case"], document["capture"]["name"])


def folder(finding_id: str) -> str:
    """Return the folder that the rescue of a finding writes."""
    return f"rescued-{finding_id}"


def rescue_finding(document: Document, finding_id: str) -> str | None:
    """Return the command that saves the records of a finding, whose id tells the capture; None: an unsafe name."""
    return _rescue(case_option(document["case"]), f"--finding {finding_id}", folder(finding_id))


def rescue_lost(document: Document) -> str | None:
    """Return the command that saves all records of a capture which only such a copy has."""
    return _rescue(place_of(document), "--lost", LOST_FOLDER)


def rescue_one(row: Mapping[str, Any], kept: str) -> str | None:
    """Return the command that saves the records of one of them; `kept` is what `place_options` gives."""
    topic, first = row["topic"], row["first_offset"]
    if not (is_safe(topic) and is_safe(row["replica"])):
        return None
    place = f"--topic {shlex.quote(topic)} --partition {row['partition']} --producer-id {row['producer_id']}"
    offsets = f"--replica {shlex.quote(row['replica'])} --from {first} --to {row['last_offset']}"
    return _rescue(kept, f"{place} {offsets}", shlex.quote(f"rescued-{topic}-{row['partition']}-{first}"))


def _rescue(kept: str, which: str, out: str) -> str | None:
    return f"txn-forensics rescue {kept} {which} -o {out}" if is_safe(kept) else None


def command_lines(command: str, *, indent: int = 0, cells: int = WIDTH) -> list[str]:
    r"""Return the command on lines of at most so many cells, indented, each but the last ended by a backslash.

    The words stay as they are: the document's commands are quoted already. A line breaks before a subcommand or an
    option, else before a word; a word longer than a line goes on in column 0, where a shell puts it together again: a
    command in quotes at one of its blanks.
    No line has a comment: an interactive zsh takes one for arguments. A command with control or format characters is
    not printed: `UNSAFE` says why.
    """
    words = _WORD.findall(command)
    if not command or not is_safe(command) or _WORD.sub("", command).strip(" "):
        return wrap(UNSAFE, first=" " * indent, cells=cells)
    return _fill(words, indent, cells)


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
            starts = " -" in line and not piece.startswith(("-", ">")) and fits
            if line and not starts and width(line) + 1 + width(piece) + _CONTINUED <= cells:
                line = f"{line} {piece}"
                continue
            lines += [line + " \\"] if line else []
            *broken, line = _break(" " * (indent + 2 if line else indent) + piece, cells)
            lines += broken
    return [*lines, line]


def _groups(words: list[str]) -> list[list[str]]:
    """Return the words with every option (`--topic`), and `>`, at the head of its value."""
    groups: list[list[str]] = []
    for word in words:
        if groups and not word.startswith("-") and len(groups[-1]) == 1 and groups[-1][0].startswith(("-", ">")):
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
        full = width(piece) + (_WORD_END if quote and letter == " " else _LEAST) > cells
        if index + 1 < len(word) and letter != "\\" and piece.strip() and full:
            close = "'" if quote == "'" else ""
            pieces.append(f"{piece}{close}\\")
            piece = close
    return [*pieces, piece]
