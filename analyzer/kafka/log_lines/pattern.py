"""What a pattern of a line is, and the groups that several share.

A pattern is searched in the line, whatever stands before it: a container's name, a time, a prompt.
"""

import dataclasses
import functools
import re

from analyzer.kafka.log_lines.needed import Words, needed

PLACE = r"(?P<topic>[A-Za-z0-9._-]{1,249})-(?P<partition>\d{1,10})"


@dataclasses.dataclass(frozen=True)
class Pattern:
    """A line: its name, who writes it, how it reads, and what it proves. Groups are named after columns.

    `kafka` names the releases in whose classes its words are, of those that `make words` reads: `2.8 to 4.3`,
    `from 3.5`, or `other program`. `written` is the regular expression that is searched in a line.
    """

    says: str
    source: str
    kafka: str
    written: str
    proves: str

    @functools.cached_property
    def regex(self) -> re.Pattern[str]:
        """What is searched: made when the first line is read, for most commands read none."""
        return re.compile(self.written)

    @functools.cached_property
    def needs(self) -> tuple[Words, ...]:
        """A line that it fits has a word of each of these, the most telling at the end."""
        return needed(self.written)


NEVER = r"^(?!)"
"""Of what is known by more than one line."""
EVERY, KRAFT, OTHER = "2.8 to 4.3", "from 3.5", "other program"
ID = r"(?P<transactional_id>.{1,300}?)"
PRODUCER = r"(?P<producer_id>\d{1,19})"
EPOCH = r"(?P<producer_epoch>-?\d{1,10})"

FENCED = (
    "a higher epoch of the id was given: to another instance, by the coordinator after a timeout, or to an earlier try "
    "of this client"
)
NOT_ANSWERED = "the client was not answered: it does not know what was decided"
WAITS = (
    "the client waits for its coordinator, which is away, still loading, or busy with an earlier transaction of the "
    "id: nothing is decided by this"
)
UNSTABLE = (
    "the client waits for offset commits of an open transaction in that partition's log or that topic's positions"
)
REFUSED = "the coordinator did not write what it was asked to decide, and told its client so"
NOT_CONFIRMED = (
    "the coordinator was not told that the id's next state was written: it may be in __transaction_state all the same, "
    "and only its records there tell what is decided"
)
IN_ANOTHER_STATE = (
    "what the client asked was refused: its coordinator had no transaction of the id open then, or had decided it"
)
ABORTABLE = (
    "the client takes its transaction for failed, and will only abort it: until it does, or the coordinator after its "
    "timeout, it stays open"
)
DENIED = "who asked may not use the transactional id: by that, nothing was begun or ended"
FATAL = (
    "the client cannot go on, and ends nothing that it had open: that stays so until the id's next client starts, or "
    "the coordinator ends it after its timeout"
)
GAP = "the leader refused a batch: one before it is missing"
CLUSTER = "cluster_named"
BLOCKED, OFFSET_PRINTED = "client_blocked", "offset_printed"
STABLE = "where the LSO and the high watermark stood then: what is equal has nothing open below it"
UNKNOWN = "the producer id is unknown there: it expired, or the records that told of it are gone"
