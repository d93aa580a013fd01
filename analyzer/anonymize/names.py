"""The replacement of each name: as long as the name, and in the same partition of an internal topic.

A name is a topic, a transactional id, a group, a member, a client, a host, or any other word that nobody at Kafka
chose. One name has one replacement, whatever it names. Source of the placement: TransactionStateManager.partitionFor.
"""

import math
from collections.abc import Collection, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from analyzer.anonymize.secret import LETTERS, Secret
from analyzer.kafka.hashing import routing_hash
from analyzer.kafka.topics import INTERNAL_TOPICS, METADATA_TOPIC

KEPT = frozenset({*INTERNAL_TOPICS, METADATA_TOPIC, "__share_group_state", "@metadata", ""})
"""Names that are Kafka's own."""
MOST_MODULUS = 1 << 18
"""Placement is kept under every count as long as their least common multiple is at most this."""
_TRIED = 1024
_MOST_ROUNDS = 1 << 13
_FACTOR = 31
_LONG = 8
"""Longer names are never equal by chance."""
_SHORT, _SHORT_ROUNDS = 3, 64
"""Of names up to this length so many rounds try nearly all."""


def modulus_of(counts: Iterable[int]) -> int:
    """Return the least common multiple of the counts in their order; a count that makes it too large is left out."""
    modulus = 1
    for count in counts:
        joined = math.lcm(modulus, count)
        modulus = joined if joined <= MOST_MODULUS else modulus
    return modulus


class Names:
    """Gives each name its replacement, always the same one."""

    def __init__(self, secret: Secret, counts: Sequence[int] = (50,), ids: Collection[str] | None = None) -> None:
        """Keep the placement of ids under these counts, the most important first; all names are ids unless told."""
        self._secret = secret
        self._moduli = tuple(dict.fromkeys(modulus_of(counts[:most]) for most in (len(counts), 3, 1)))
        self._ids = ids
        self.given: dict[str, str] = {}
        """Every name so far and its replacement."""
        self._taken: set[str] = set()
        self.kept: set[str] = set()
        """Names too short to have another one of their length in the same partition."""

    def of(self, name: str) -> str:
        """Return the replacement of a name; ASCII letters and digits, as many as the name has bytes in UTF-8."""
        if name in KEPT:
            return name
        known = self.given.get(name)
        if known is None:
            known = self.given[name] = self._new(name)
            self._taken.add(known)
        return known

    def of_bytes(self, name: bytes) -> bytes:
        """Return the same for a name in UTF-8; other bytes are filled."""
        try:
            return self.of(name.decode()).encode()
        except UnicodeDecodeError:
            return self._secret.filling(name)

    def _new(self, name: str) -> str:
        """Return another name of this length: in the same partition under all counts, else under fewer of them."""
        for modulus in self._moduli if self._ids is None or name in self._ids else (1,):
            found = self._placed(name, modulus)
            if found is not None:
                return found
        self.kept.add(name)
        return name

    def _placed(self, name: str, modulus: int) -> str | None:
        """Return the first unused candidate whose hash leaves the same remainder, None if there is none."""
        content = name.encode("utf-8", "surrogateescape")
        place = routing_hash(name) % modulus
        for number in range(_MOST_ROUNDS if len(content) > _SHORT else _SHORT_ROUNDS):
            tried = self._candidates(content, number, one=modulus == 1 and len(content) > _LONG)
            for at in np.flatnonzero(_hashes(tried) % modulus == place).tolist():
                found = bytes(tried[at]).decode()
                if found != name and found not in self._taken:
                    return found
        return None

    def _candidates(self, content: bytes, number: int, *, one: bool) -> npt.NDArray[np.uint8]:
        """Return names of the content's length, each beginning with a letter."""
        count = 1 if one else _TRIED
        stream = self._secret.letters(f"name {number}", content, count * len(content))
        tried = np.frombuffer(stream, np.uint8).reshape(count, len(content)).copy()
        first = tried[:, 0]
        digits = first < LETTERS[0]
        first[digits] += LETTERS[0] - ord("0")
        return tried


def _hashes(names: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return `hashing.routing_hash` of ASCII names of one length."""
    value = np.zeros(len(names), np.int32)
    with np.errstate(over="ignore"):
        for column in names.T:
            value = value * np.int32(_FACTOR) + column.astype(np.int32)
    wide = np.abs(value.astype(np.int64))
    wide[wide == 1 << 31] = 0
    return wide
