"""The replacement of each record's key: as long as the key, and in the same partition of its topic.

Java's default partitioner takes murmur2 of the key modulo the count, librdkafka's CRC32; which of them is kept is told.
"""

import numpy as np

from analyzer.anonymize.names import modulus_of
from analyzer.anonymize.secret import Secret
from analyzer.kafka.key_hashing import key_crc32, key_murmur2_of

MOST_MODULUS = 1 << 12
_TRIED = 64
_MOST_ROUNDS = 1 << 12
_SHORT = 8
"""Keys up to this length are remembered, so that no two get the same replacement."""
_MOST_CACHED = 1 << 20


class RecordKeys:
    """Gives each key its replacement, always the same one."""

    def __init__(self, secret: Secret, counts: tuple[int, ...] = (), *, crc32: bool = False) -> None:
        """Keep the placement under these counts of partitions, by murmur2 or by CRC32."""
        self._secret = secret
        modulus = modulus_of(counts)
        self._modulus = modulus if modulus <= MOST_MODULUS else modulus_of(counts[:1])
        self._crc32 = crc32
        self._known: dict[bytes, bytes] = {}
        self._short: dict[bytes, bytes] = {}
        self._taken: set[bytes] = set()
        self.kept = 0
        """Keys too short to have another one of their length in the same partition."""

    def of(self, key: bytes) -> bytes:
        """Return the replacement of a key: ASCII letters and digits, as many as the key has bytes."""
        known = self._short if len(key) <= _SHORT else self._known
        found = known.get(key)
        if found is None:
            if len(self._known) > _MOST_CACHED:
                self._known.clear()
            found = known[key] = self._new(key) if key else key
            if len(key) <= _SHORT:
                self._taken.add(found)
        return found

    def _new(self, key: bytes) -> bytes:
        size = len(key)
        place = self._hashes([key])[0] % self._modulus
        for number in range(_MOST_ROUNDS if size > 2 else 64):  # noqa: PLR2004
            count = _TRIED if self._modulus > 1 or size <= _SHORT else 1
            stream = self._secret.letters(f"key {number}", key, size * count)
            tried = [stream[at : at + size] for at in range(0, len(stream), size)]
            fitting = np.flatnonzero(self._hashes(tried) % self._modulus == place)
            for at in fitting.tolist():
                if tried[at] != key and (size > _SHORT or tried[at] not in self._taken):
                    return tried[at]
        self.kept += 1
        return key

    def _hashes(self, keys: list[bytes]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        if self._modulus == 1:
            return np.zeros(len(keys), np.int64)
        if self._crc32:
            return np.fromiter(map(key_crc32, keys), np.int64, len(keys))
        return key_murmur2_of(keys).astype(np.int64)
