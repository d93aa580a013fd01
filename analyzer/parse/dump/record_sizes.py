r"""Sums the key and value bytes of each batch from many plain record lines at once.

| offset: 8 CreateTime: 1665506597998 keySize: 4 valueSize: 6 sequence: -1 headerKeys: [] ...
| offset: 8 isValid: true crc: null keySize: 4 valueSize: 6 CreateTime: 1665506597998 baseOffset: 8 ...        (2.8)
"""

import numpy as np
import numpy.typing as npt

from analyzer.parse.lines.record_lines import SIZES

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

_LABELS = {ord("C"): len("CreateTime: "), ord("L"): len("LogAppendTime: "), ord("N"): len("NoTimestampType: ")}
_KEY = len("keySize: ")
_VALUE = len(" valueSize: ")
_DIGITS = 19
_EPOCH_MS_DIGITS = 13


def payload_bytes(
    data: Bytes, after_offsets: Ints, stops: npt.NDArray[np.int32], batch: Ints, count: int
) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return per batch the bytes of its keys and values, and whether it has records and all their sizes were read.

    `after_offsets` is the index of the space after each record's offset, `stops` where its line ends, `batch` the index
    of its batch, less than `count`. A size of -1 (null) counts as 0. The form of 2.8 is read line by line.
    """
    label = _at(data, after_offsets + 1)
    at = after_offsets + 1
    for letter, length in _LABELS.items():
        at = np.where(label == letter, at + length, at)
    at = _after_time(data, at)
    named = (_at(data, at) == ord(" ")) & (_at(data, at + 1) == ord("k"))
    key, at = _number(data, at + 1 + _KEY)
    named &= (_at(data, at) == ord(" ")) & (_at(data, at + 1) == ord("v"))
    value, at = _number(data, at + _VALUE)
    named &= _at(data, at) == ord(" ")
    for index in np.flatnonzero(~named):
        match = SIZES.search(data.data, after_offsets[index], stops[index])
        if match:
            key[index], value[index] = int(match[1]), int(match[2])
            named[index] = True
    sums = np.bincount(batch, np.maximum(key, 0) + np.maximum(value, 0), count).astype(np.int64)
    known = np.zeros(count, bool)
    known[batch] = True
    known[batch[~named]] = False
    return sums, known


def _after_time(data: Bytes, at: Ints) -> Ints:
    """Return the index after the epoch ms that begins here: 13 digits from 2001 to 2286, or any other number."""
    after = at + _EPOCH_MS_DIGITS
    if bool(np.all(_at(data, after) == ord(" "))):
        return after
    return _number(data, at)[1]


def _at(data: Bytes, index: Ints) -> Bytes:
    taken: Bytes = data[np.minimum(index, len(data) - 1)]
    return taken


def _number(data: Bytes, at: Ints) -> tuple[Ints, Ints]:
    """Return the number, with or without a minus, that begins at each index, and the index after it."""
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
