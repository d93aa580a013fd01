"""Words by which a text is taken to be about Kafka's logs and transactions: not reading it may miss something."""

import re

from analyzer.kafka.pasting.characters import without_escapes

_WORDS = re.compile(
    rb"producer[ _.-]?id|producer[ _.-]?epoch|transaction|offset|partition|coordinator|read_committed"
    rb"|leader[ _.-]?epoch|consumer[ _.-]?group|isolation\.level|prepare(?:commit|abort)|\b(?:LSO|COMMIT|ABORT)\b"
    rb"|__consumer_|kafka\.common",
    re.IGNORECASE,
)
LONGEST_WORD = 32
"""Bytes that no word is longer than."""
_COMMAND = re.compile(rb"\s*(?:(?:\[[^\]]*\]|[\w.-]+@[\w.-]+[^$#%]*)?\s*[$#%] \s*[\w./~-]|--[a-z])")
"""A prompt and what was typed at it, or a line that goes on with its options."""
_PROMPT_BYTES = 500
"""So much of a line may be a prompt: a line may have a million spaces."""
_FIELD = re.compile(rb"\w: ")
"""What tools print and nobody types: the name of a field and its value."""
_ASIDE = re.compile(
    rb"\s*(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d (?:[AP]M )?\w{2,5} \d{4}"
    rb"|command terminated with exit code \d{1,3})\s*"
)
"""What `date` prints between two answers, and kubectl below one."""
_ELIDED = re.compile(rb"\.\.\.|\xe2\x80\xa6|snip|omitted|truncated|more lines", re.IGNORECASE)
_DIGIT = re.compile(rb"\d")


def speaks_of_kafka(text: bytes) -> bool:
    """Return whether a piece of text has one of the words."""
    return _WORDS.search(text) is not None


def may_be_evidence(line: bytes) -> bool:
    """Return whether a line that no reader takes may have been part of what a tool printed.

    A shell's command and plain words without a number are not; what says that lines were left out is.
    """
    if b"\x1b" in line:
        line = without_escapes(line.decode("latin-1")).encode("latin-1")
    if _ASIDE.fullmatch(line) or not line.strip() or (_COMMAND.match(line[:_PROMPT_BYTES]) and not _FIELD.search(line)):
        return False
    return any(pattern.search(line) for pattern in (_WORDS, _DIGIT, _ELIDED))
