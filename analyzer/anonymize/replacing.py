"""Everything that replaces something in one copy: names, keys, payloads, ids of 16 bytes, checksums in text."""

import base64
import re

from analyzer.anonymize.names import Names
from analyzer.anonymize.record_keys import RecordKeys
from analyzer.anonymize.secret import Secret
from analyzer.anonymize.vocabulary import NUMBER, words

_UUID_BYTES = 16
_REDPANDA = re.compile(r"(redpanda\.)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_UUID = re.compile(r"[A-Za-z0-9_-]{22}")
_TOPIC_PARTITION = re.compile(r"(.+)-(\d{1,10})", re.DOTALL)
_MEMBER = re.compile(r"([^{}=, ][^=]*?)=\[([^\]]*)\]")
_ASSIGNED = re.compile(r"[^, ]+")
_STANDING = re.compile(rb"[\r\n?]|\xef\xbf\xbd")
"""What stays in printed payloads: lines keep their numbers, and what printing may have lost stays in doubt."""


class Replacing:
    """The replacements of one copy."""

    def __init__(self, secret: Secret, names: Names, keys: RecordKeys) -> None:
        """Hold the three that depend on the secret."""
        self._secret = secret
        self.names = names
        self.keys = keys
        self.checksums: dict[int, int] = {}
        """What the checksums of raw batches became, for dumps of the same batches."""
        self.uuids: set[str] = set()
        """Ids of topics, clusters and directories in the form that Kafka prints."""
        self.ids: dict[str, str] = {}
        """What ids of 16 bytes became, as Kafka prints them."""

    def payload(self, content: bytes) -> bytes:
        """Return the replacement of a value, a header's key or value, or of bytes that nobody understands."""
        return self._secret.filling(content)

    def printed(self, content: bytes) -> bytes:
        """Return the replacement of a value as a tool printed it; line ends, `?` and U+FFFD stay."""
        filled = bytearray(self.payload(content))
        for match in _STANDING.finditer(content):
            filled[match.start() : match.end()] = match[0]
        return bytes(filled)

    def printed_key(self, key: bytes) -> bytes:
        """Return the replacement of a key as a tool printed it."""
        return self.printed(key) if _STANDING.search(key) else self.keys.of(key)

    def partition(self, name: str) -> str:
        """Return the replacement of `<topic>-<partition>`; the number stays."""
        match = _TOPIC_PARTITION.fullmatch(name)
        return f"{self.names.of(match[1])}-{match[2]}" if match else self.names.of(name)

    def assignment(self, text: str) -> str:
        """Return the replacement of `{m1=[t-0, t-1],m2=[]}`: members and their partitions."""

        def member(match: re.Match[str]) -> str:
            partitions = _ASSIGNED.sub(lambda one: self.partition(one[0]), match[2])
            return f"{self.names.of(match[1])}=[{partitions}]"

        return _MEMBER.sub(member, text)

    def word(self, text: str, *, own: bool = False) -> str:
        """Return a number or a word of Kafka's as it is, a name's replacement otherwise.

        Where the user's `own` names stand, a word of Kafka's is one of them.
        """
        if NUMBER.fullmatch(text) or (not own and text in words()):
            return text
        return self.names.of(text)

    def uuid(self, content: bytes) -> bytes:
        """Return the replacement of 16 bytes; ids that Kafka reserves stay."""
        if not any(content[:-1]):
            return content
        new = self._secret.stream("uuid", content, _UUID_BYTES)
        self.ids[_base64(content)] = _base64(new)
        return new

    def printed_uuid(self, text: str) -> str:
        """Return the same for an id in 22 characters of base64, and for one of Redpanda's; any other text is a name."""
        if ours := _REDPANDA.fullmatch(text):
            digits = iter(self._secret.stream("uuid", text.encode(), _UUID_BYTES).hex())
            return ours[1] + "".join("-" if old == "-" else next(digits) for old in ours[2])
        if _UUID.fullmatch(text):
            try:
                content = base64.urlsafe_b64decode(text + "==")
            except ValueError:
                return self.names.of(text)
            if _base64(content) == text:
                return _base64(self.uuid(content))
        return self.names.of(text)

    def checksum(self, stored: int) -> int:
        """Return the replacement of a checksum in text: the raw batch's own new one, if it was seen."""
        known = self.checksums.get(stored)
        if known is not None:
            return known
        return int.from_bytes(self._secret.stream("crc", stored.to_bytes(8, "big"), 4), "big")


def _base64(content: bytes) -> str:
    """Return an id as Kafka prints it (Uuid.toString)."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
