"""What stands between the lines of a log and is none: plain words of who pasted it, and fields that no log writes."""

import re

_SENTENCE = re.compile(
    rb"(?:> ?){0,5}(?:[-*] )?['\"(]?[A-Za-z\x80-\xff][^\s=<>{}\[\]|\\$@]*(?: [^\s=<>{}\[\]|\\$@]+){2,}[ \r]*"
)
"""At least three words with one space between them, and nothing that only programs write."""
_FIELDS = re.compile(rb"(?:> ?){0,5}[A-Za-z_][\w.-]{0,100} ?= ?\S")
"""`transactional.id=pay-1`, `producerId=7 state=Ongoing`: a log writes settings below a tab or spaces."""
_LETTER = re.compile(rb"[A-Za-z\x80-\xff ]")
_LEAST_LETTERS = 0.75
_OF_A_LOG = re.compile(
    rb"(?:> ?){0,5}(?:(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|SEVERE)\b"
    rb"|(?:at|Caused by|Suppressed|Exception in|Traceback)\b|\S*(?:Exception|Error)(?:[:\s]|$)|Consumer group ')"
)
"""How a line begins without a time that a program wrote: a level, a stack trace, a tool that lists no group."""
_SHORTEST_WRAPPED = 60
"""No mail breaks its lines at less, and no terminal is narrower."""
_WHOLE = (b")", b".", b"!", b"?", b":")
_MOST = 2_000


class Prose:
    """The lines so far, as far as the last of them may be broken."""

    def __init__(self) -> None:
        """Begin without any."""
        self._open = False

    def take(self, line: bytes, *, taken: bool) -> bool:
        """Return whether a line that no reader has `taken` is plain words or fields; not the rest of a broken one."""
        told = not taken and not self._open and (_is_prose(line) or _FIELDS.match(line) is not None)
        ends = line.rstrip()
        if ends.endswith(_WHOLE) or not ends or told:
            self._open = False
        elif len(ends) >= _SHORTEST_WRAPPED:
            self._open = True
        return told


def _is_prose(line: bytes) -> bool:
    if len(line) > _MOST or not _SENTENCE.fullmatch(line) or _OF_A_LOG.match(line):
        return False
    return len(_LETTER.findall(line)) >= _LEAST_LETTERS * len(line)
