r"""Reads what `kcl admin txn unstick-lso` prints: the partition whose LSO stands still, and the producer that holds it.

Looking for the last stable offset on a partition in events...
Found partition 7 stuck at offset 144, looking for producer that caused this...
Found causing producer ID and epoch 2000/0, looking in __transaction_state to find its transactional id...
Found topic events stuck with transactional id events-writer-1.
"""

import re

from analyzer.parse.answers.table_rows import Answer
from analyzer.parse.rows import within

_TOPIC = re.compile(r"Looking for the last stable offset on a partition in (\S+?)\.\.\.\s*")
_STUCK = re.compile(r"Found partition (\d{1,10}) stuck at offset (\d{1,19}), looking .*")
_PRODUCER = re.compile(r"Found causing producer ID and epoch (\d{1,19})/(\d{1,10}), looking .*")
_ID = re.compile(r"Fou(?:nd|dn) topic (\S+) stuck with transactional id (.+)\.\s*")
_TALK = re.compile(
    r"(?:Issuing Metadata request for the topic|Metadata indicates that there are|At this point we can) .*"
)


class Unstick:
    """What the lines before told: topic, partition, offset, producer."""

    def __init__(self) -> None:
        """Begin without any."""
        self._told: Answer = {}

    def take(self, text: str) -> Answer | bool:
        """Return what is open once all of it is told, True for its other lines, False for a line of something else."""
        topic, stuck, producer = _TOPIC.fullmatch(text), _STUCK.fullmatch(text), _PRODUCER.fullmatch(text)
        if topic:
            self._told = {"topic": topic[1]}
        elif stuck:
            place = {"partition": within(int(stuck[1]), "int"), "first_offset": within(int(stuck[2]), "bigint")}
            self._told |= place
        elif producer:
            ids = {"producer_id": within(int(producer[1]), "bigint"), "producer_epoch": within(int(producer[2]), "int")}
            return self._told | ids | {"asked": "unstick_lso", "text": text.strip()}
        else:
            return bool(_ID.fullmatch(text) or _TALK.fullmatch(text))
        return True
