"""What a loop prints above each of its tables: the partition that it asked about (RULES F 1).

$ for p in 6 7; do echo "== orders-$p"; kafka-transactions.sh describe-producers --topic orders --partition $p; done
== orders-6                                               (of a loop over topics, `echo $t`, the topic alone)
ProducerId	ProducerEpoch	...
"""

import functools
import re

LOOP = r"(?:for\s+\w+\s+in\s|while\s.*\bread\b).*"
"""The first line of a loop."""
_OF_LOOP = re.compile(
    r"\s*(?:#|\|\||\}?$|\w+=|(?:do|done|echo|printf|sleep|date|if|then|else|fi|set|true|continue|break)\b).*"
)
"""What else stands in a loop: another line ends one that was not copied to its end."""
_DONE = re.compile(r"(?:.*;)?\s*done\b")
_PROMPT = re.compile(r"\s*>\s")
"""What a shell prints where a loop goes on."""
_MOST_LINES = 20
_LABELS = re.compile(
    r"\becho\b.*\bkafka-transactions\b.*\bdescribe-?producers\b(?=.*--(?:partition|topic)[= ]+[\"']?\$)", re.DOTALL
)
"""The label comes before the answer, and a variable is asked about."""
_TOPIC = re.compile(r"--topic[= ]+[\"']?([A-Za-z0-9._-]{1,249})[\"']?(?=[\s;]|$)")
_MARKS = r"[\s=#*:>_|-]*"
_LABEL = re.compile(
    rf"{_MARKS}(?:(?i:topic|partition)[\s=:#]+)?(?:([A-Za-z0-9._-]{{0,200}}[A-Za-z][A-Za-z0-9._-]{{0,48}})[-: ])?"
    rf"(\d{{1,9}}){_MARKS}"
)
_OF_TOPIC = re.compile(rf"{_MARKS}(?:(?i:topic)[\s=:#]+)?([A-Za-z0-9._-]{{1,249}}?)(?:-(\d{{1,9}}))?{_MARKS}")
_PARTITION = re.compile(r"--partition[= ]+[\"']?(\d{1,9})\b")
_LONGEST = 300


@functools.lru_cache(maxsize=16)
def labels_its_tables(command: str) -> bool:
    """Return whether a command prints something above each of its tables; asked for each line below it."""
    return _LABELS.search(command) is not None


def labelled(command: str, label: str) -> tuple[str, int] | None:
    """Return the partition that a label names; None if it is none, or if the command does not ask about it."""
    asked, of_each = _TOPIC.search(command), _PARTITION.search(command)
    if asked is None and of_each is not None:
        return _of_topic(command, label, of_each[1])
    found = _LABEL.fullmatch(label) if len(label) <= _LONGEST else None
    if found is None:
        return None
    topic = found[1] or (asked and asked[1])
    if topic is None:
        return None
    of_topic = asked is not None and topic == asked[1]
    named = re.search(rf"(?<![\w.-]){re.escape(topic)}-{found[2]}(?![\w.-])", command)
    return (topic, int(found[2])) if of_topic or named else None


def _of_topic(command: str, label: str, partition: str) -> tuple[str, int] | None:
    """Return the partition of a topic that a label names: the loop names it, too, and asks each for the same one."""
    found = _OF_TOPIC.fullmatch(label) if len(label) <= _LONGEST else None
    if found is None or found[2] not in (None, partition):
        return None
    named = re.search(rf"(?<![\w.-]){re.escape(found[1])}(?![\w.-])", command)
    return (found[1], int(partition)) if named else None


class Loop:
    """The lines of a loop that stands on several, up to its command and after that; `end` is what it goes on into."""

    def __init__(self) -> None:
        """Begin outside any."""
        self._lines: list[str] = []
        self.end = ""

    def take(self, typed: str, line: str, *, command: bool) -> bool:
        """Take a line, and what was typed at a prompt there; return whether it is one of a loop.

        `command` if it is the first of what the loop does; the line itself is not kept then.
        """
        self.end, inside = "", _PROMPT.sub("", line)
        if self._lines and (command or _OF_LOOP.fullmatch(inside)):
            self._lines = [*self._lines, "" if command else inside][:_MOST_LINES]
            if _DONE.match(inside):
                self._lines, self.end = [], f"; {inside}"
            return True
        begins = re.fullmatch(LOOP, typed) is not None and not _DONE.match(typed)
        self._lines = ["" if command else line] if begins else []
        return begins

    def whole(self, command: str) -> str:
        """Return a command of the loop with what stands above it."""
        above = "; ".join(filter(None, self._lines))
        return f"{above}; {_PROMPT.sub('', command)}" if above else command
