r"""From the beginnings of many plain record lines to the key and value bytes of each batch, for all lines at once.

| offset: 8 CreateTime: 1665506597998 keySize: 4 valueSize: 6 sequence: -1 headerKeys: [] ...
"""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

_LABELS = {ord("C"): len("CreateTime: "), ord("L"): len("LogAppendTime: "), ord("N"): len("NoTimestampType: ")}
_KEY = len("keySize: ")
_VALUE = len(" valueSize: ")
_DIGITS = 19


def payload_bytes(data: Bytes, behind_offsets: Ints, batch: Ints, count: int) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return per batch the bytes of keys and values of its records, and whether every record's line told them.

    `behind_offsets` is the index of the space behind each record's offset, `batch` the index of its batch, below
    `count`. A size of -1 (null) counts as 0.
    """
    label = _at(data, behind_offsets + 1)
    at = behind_offsets + 1
    for letter, length in _LABELS.items():
        at = np.where(label == letter, at + length, at)
    _, at = _number(data, at)
    named = (_at(data, at) == ord(" ")) & (_at(data, at + 1) == ord("k"))
    key, at = _number(data, at + 1 + _KEY)
    named &= (_at(data, at) == ord(" ")) & (_at(data, at + 1) == ord("v"))
    value, at = _number(data, at + _VALUE)
    named &= _at(data, at) == ord(" ")
    sums = np.zeros(count, np.int64)
    np.add.at(sums, batch, np.maximum(key, 0) + np.maximum(value, 0))
    known = np.ones(count, bool)
    known[batch[~named]] = False
    return sums, known


def _at(data: Bytes, index: Ints) -> Bytes:
    taken: Bytes = data[np.minimum(index, len(data) - 1)]
    return taken


def _number(data: Bytes, at: Ints) -> tuple[Ints, Ints]:
    """Return the number, with or without a minus, that begins at each index, and the index behind it."""
    negative = _at(data, at) == ord("-")
    at = at + negative
    number = np.zeros(len(at), np.int64)
    going = np.ones(len(at), bool)
    for _ in range(_DIGITS):
        digit = _at(data, at).astype(np.int64) - ord("0")
        going &= (digit >= 0) & (digit <= 9)  # noqa: PLR2004 - a digit
        if not going.any():
            break
        number = np.where(going, number * 10 + digit, number)
        at = at + going
    return np.where(negative, -number, number), at
