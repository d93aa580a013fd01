"""Replaces names in a line of free text: a row of a tool, a log's line, a remark.

A line is cut into words. Numbers and times stay, and so do words that Kafka's tools print; everything else is replaced.
So a word that nobody expected is never left as it was.
"""

import re

from analyzer.anonymize.replacing import Replacing
from analyzer.anonymize.vocabulary import ADDRESS, ADDRESS_6, NUMBER, words

_TOKEN = re.compile(r"[A-Za-z0-9_@\u0080-\U0010ffff][A-Za-z0-9._@\u0080-\U0010ffff-]*")
_ADDRESS_OR_TOKEN = re.compile(rf"{ADDRESS_6.pattern}|{_TOKEN.pattern}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d)?|\d\d\.\d{1,9}Z?|\d\d|\d{1,9}Z|T\d\d")
_UNITS = re.compile(r"\d{1,19}(?:ms|s|m|h|d|Z|KB|MB|GB)?")
_NAMING = re.compile(
    r"(?:--(?:topic|transactional-id|group|entity-name)[ =]+|\b(?:Topic|TransactionalId|transactionalId|topic|group)"
    r"[:=]\s*|for (?:topic|group) |partition=|for partition |transactionalId |partition in )['\"]?$"
)
"""What stands before a name."""
_PARTITION = re.compile(r"(.+)-(\d{1,10})")
_FULL = re.compile(r"(?:[a-z_]\w*\.)+[A-Z]\w*(?:\$\w+)*")
"""The name of a class of Java's."""
_KNOWN_PACKAGES = ("org.apache.kafka.", "java.", "kafka.", "scala.", "sun.", "jdk.", "javax.")
_PIECES = re.compile(r"[._@-]+")


class TextLines:
    """Replaces what is not Kafka's in lines of text."""

    def __init__(self, to: Replacing) -> None:
        """Use these replacements."""
        self._to = to
        self._odd: tuple[str, ...] | None = None

    def settle(self) -> None:
        """Take in every name that was found so far: those that no word is cut like are looked for as they are."""
        odd = [name for name in self._to.names.given if not _TOKEN.fullmatch(name) and len(name) > 1]
        self._odd = tuple(sorted(odd, key=len, reverse=True))

    def line(self, text: str, *, row: bool = False) -> str:
        """Return the line with other names; in a `row` of a table a word that is also a name is one."""
        for name in self._odd or ():
            if name in text:
                new = self._to.names.of(name)
                parts = [self.line(part, row=row) for part in text.split(name)]
                return new.join(parts)

        def other(match: re.Match[str]) -> str:
            token = match[0]
            if ADDRESS_6.fullmatch(token):
                return self._address_6(token)
            named = row or _NAMING.search(text, max(match.start() - 60, 0), match.start()) is not None
            return self.token(token, named=named)

        return _ADDRESS_OR_TOKEN.sub(other, text)

    def _address_6(self, address: str) -> str:
        """Return another IPv6 address: tools take no other word between the brackets of a host."""
        new = self._to.names.of(address)
        return "".join(":" if old == ":" else f"{int(one, 36) % 16:x}" for old, one in zip(address, new, strict=True))

    def token(self, token: str, *, named: bool = False) -> str:
        """Return one word: as it is if it is Kafka's or a number, otherwise its replacement."""
        known = self._to.names.given
        stripped = token.rstrip("._-@")
        if stripped != token:
            return self.token(stripped, named=named) + token[len(stripped) :]
        if named and token in known:
            return self._to.names.of(token)
        if self._stays(token):
            return token
        match = _PARTITION.fullmatch(token)
        of_known = match is not None and match[1] in known
        if token in known or (ADDRESS.search(token) and not of_known):
            return self._to.names.of(token)
        if token in self._to.uuids:
            return self._to.printed_uuid(token)
        if match and match[1] not in known and match[1] in words():
            return token
        if token not in known and all(piece in words() or piece.isdigit() for piece in _PIECES.split(token)):
            return token
        return self._to.partition(token) if match else self._to.names.of(token)

    def _stays(self, token: str) -> bool:
        """Whether a word is a number, a time or one of Kafka's."""
        if token in words() or any(one.fullmatch(token) for one in (NUMBER, _MOMENT, _UNITS)):
            return True
        return (
            token.startswith(_KNOWN_PACKAGES)
            and _FULL.fullmatch(token) is not None
            and token not in self._to.names.given
        )

    def masked(self, text: str) -> str:
        """Return a line that nobody understands: words of Kafka's stay, of others only how long they are."""
        return _TOKEN.sub(lambda match: match[0] if match[0] in words() else _mask(match[0]), text)


def _mask(token: str) -> str:
    return re.sub(r"[^\W\d_]", "x", re.sub(r"\d", "0", token))
