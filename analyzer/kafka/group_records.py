"""Types of the records of groups in `__consumer_offsets` (`CoordinatorRecordType`), whose number is in the key.

Commits are 0 and 1, a generation of a classic group is 2; newer protocols write one record for each thing they keep.
"""

from collections.abc import Mapping
from types import MappingProxyType

COMMITS = (0, 1)
GENERATION = 2

EPOCHS: Mapping[int, str] = MappingProxyType(
    {
        3: "epoch", 6: "assignmentEpoch", 8: "memberEpoch",
        11: "epoch", 12: "assignmentEpoch", 14: "memberEpoch",
        17: "epoch", 20: "assignmentEpoch", 22: "memberEpoch",
    }
)  # fmt: skip
"""The field that tells an epoch in the values of the types that have one, the first field in their bytes."""

CONSUMER, SHARE, STREAMS = range(3, 9), range(9, 16), range(17, 24)
REGULAR_EXPRESSION = 16
"""A subscription of a consumer group that its coordinator resolves (KIP-848)."""
MEMBERS = (5, 7, 8, 10, 13, 14, 19, 21, 22)
"""Types whose key names a member after the group."""


def protocol_of(record_type: int) -> str | None:
    """Return the protocol that writes records of this type: consumer (KIP-848), share (KIP-932), streams (KIP-1071)."""
    if record_type in CONSUMER or record_type == REGULAR_EXPRESSION:
        return "consumer"
    if record_type in SHARE:
        return "share"
    return "streams" if record_type in STREAMS else None
