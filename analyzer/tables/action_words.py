"""The words for what to do about a finding, and what a fault did to readers: closed lists, shared by all formats.

A detector chooses the word where it writes the summary of the action; reports rank by it and show it.
"""

from typing import Literal, get_args

ActionWord = Literal[
    "rescue records first",
    "do not abort yet",
    "do not restart yet",
    "copy files first",
    "check first",
    "ask the owner",
    "restart the leader",
    "abort",
    "end the orphans",
    "bring back leader",
    "notify consumers",
    "notify the producer",
    "new transactional.id",
    "stop all but one",
    "pause partitions",
    "read again in order",
    "restart the producer",
    "upgrade brokers",
    "rebuild the replica",
    "copy segment again",
    "compare replicas",
    "set group position",
    "keep the new copy",
    "see below",
    "see its findings",
    "wait",
    "fetch files first",
    "cannot tell",
    "leave it",
    "nothing to do here",
]
"""What to do, in at most 20 characters: the most dangerous to get wrong first, which is the order of a report.

`see below` and `cannot tell` are for documents of older versions, which have no word.
"""

DANGER: dict[str, int] = {word: place for place, word in enumerate(get_args(ActionWord))}
"""The words by their place: what must not be done at once comes first."""

FORBIDS: frozenset[str] = frozenset({"do not abort yet", "do not restart yet"})
"""Words that forbid something: what a reader may not overlook."""

Impact = Literal["wrong_data", "lost_data", "key_order"]
"""What read_committed readers were given: aborted records or one part of a transaction; too little, as committed
records are hidden or gone; keys out of their order."""

CALM: frozenset[str] = frozenset({"see its findings", "wait", "fetch files first", "leave it", "nothing to do here"})
"""Words for what no reader of a report has to do now, or finds in other findings."""
