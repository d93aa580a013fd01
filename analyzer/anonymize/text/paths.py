"""Replaces names in paths: of the copy's own files, and of those that tools print.

Folders of partitions keep their form, so do Kafka's own file names and what numbers brokers; every other word goes.
"""

import re

from analyzer.anonymize.names import KEPT
from analyzer.anonymize.replacing import Replacing
from analyzer.anonymize.text.text_lines import TextLines
from analyzer.anonymize.vocabulary import ADDRESS

_PARTITION = re.compile(r"([A-Za-z0-9._-]{1,249})-(\d+)((?:\.[0-9A-Fa-f]+-(?:future|delete|stray))?)")
_STRIMZI = re.compile(r"(kafka-\d+(?:-disk-\d+)?)-(.+)-(\d+)")
_BROKER = re.compile(r"(?:broker|kafka|node|replica|server)[-_]?\d+", re.IGNORECASE)
_KAFKA = re.compile(r"\d{20}(?:-\d{10})?\.\w+(?:\.\w+)*|(?:[a-z]+-)*checkpoint|[a-z]+\.metadata|meta\.properties")
_OF_A_PARTITION = re.compile(r"(describe-producers[._-])(.+?)(-\d{1,10}(?:\.[\w-]+)*)")
_PIECE = re.compile(r"[A-Za-z]+|\d+|[^A-Za-z0-9]+")


class Paths:
    """Replaces names in paths."""

    def __init__(self, to: Replacing, lines: TextLines) -> None:
        """Use these replacements."""
        self._to = to
        self._lines = lines

    def of(self, path: str) -> str:
        """Return the path with other names."""
        parts = path.split("/")
        named = [self._part(part, parts[number - 1] if number else "") for number, part in enumerate(parts)]
        return "/".join(named)

    def _part(self, part: str, above: str) -> str:
        names = self._to.names
        if part in ("", ".", "..") or _KAFKA.fullmatch(part) or _BROKER.fullmatch(part):
            return part
        strimzi = _STRIMZI.fullmatch(part)
        if strimzi and above == strimzi[2]:
            return f"{strimzi[1]}-{names.of(strimzi[2])}-{strimzi[3]}"
        if part in names.given:
            return names.of(part)
        asked = _OF_A_PARTITION.fullmatch(part)
        if asked:
            return asked[1] + names.of(asked[2]) + asked[3]
        match = _PARTITION.fullmatch(part)
        if match and match[1] in KEPT:
            return part
        if match and match[1] in names.given:
            return f"{names.of(match[1])}-{match[2]}{match[3]}"
        return self._words(part)

    def _words(self, part: str) -> str:
        """Return a file or folder of nobody's form: names in it are replaced, then every word that is not Kafka's."""
        known = sorted((name for name in self._to.names.given if len(name) > 3 and name in part), key=len)  # noqa: PLR2004
        if known:
            name = known[-1]
            return self._to.names.of(name).join(map(self._words, part.split(name)))
        address = ADDRESS.search(part)
        if address:
            before, after = part[: address.start()], part[address.end() :]
            return self._words(before) + self._to.names.of(address[0]) + self._words(after)
        return "".join(self._lines.token(piece) if piece.isalpha() else piece for piece in _PIECE.findall(part))
