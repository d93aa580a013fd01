r"""Tells a printed thread, which still waits, from the trace of an error, which has left what it names.

"main" #1 prio=5 os_prio=0 cpu=4521.34ms elapsed=182.31s tid=0x00007f1c3c017000 nid=0x7 waiting on condition
   java.lang.Thread.State: TIMED_WAITING (parking)
\tat org.apache.kafka.clients.producer.KafkaProducer.initTransactions(KafkaProducer.java:628)

Source: `jstack`, `jcmd Thread.print` and `kill -3` of Java 8 to 21.
"""

from collections.abc import Iterable

from analyzer.kafka.log_lines.pattern import BLOCKED
from analyzer.parse.logs.line import LogLine

_STATE = "java.lang.Thread.State: "


class Threads:
    """Whether the last lines are those of a printed thread."""

    def __init__(self) -> None:
        """Begin outside of any."""
        self._inside = False

    def see(self, text: str) -> None:
        """Take the next line: what a thread does stands below its state, further in than the next line of a log."""
        self._inside = _STATE in text or (self._inside and text[:1].isspace() and bool(text.strip()))

    def told(self, found: Iterable[LogLine]) -> list[LogLine]:
        """Return what the line says, without a call that an error has ended."""
        return [line for line in found if self._inside or line["says"] != BLOCKED]
