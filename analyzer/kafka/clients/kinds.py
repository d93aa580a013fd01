"""Clients that name transactional ids by a rule of their own: what a restart of each does, and what an abort does.

Read in the code of each: Flink's KafkaCommitter, Streams' ActiveTaskCreator and StreamsProducer, Connect's
Worker.taskTransactionalId, Spring Kafka's DefaultKafkaProducerFactory. What is said of the first three was also seen
with each of them on a real cluster (docs/clients.md).
"""

import dataclasses
from typing import Literal


@dataclasses.dataclass(frozen=True, slots=True)
class Client:
    """A kind of client, as capture.toml names it."""

    kind: str
    title: str
    restart: str
    """What becomes of the open transaction when the client is restarted."""
    abort: str
    """What an abort does."""
    first: str
    """What to do first."""
    safe: Literal["yes", "no", "ask"]
    """Whether an abort is safe while nothing is decided, if it is certain that this client owns the id."""


FLINK = Client(
    "flink",
    "a Flink KafkaSink",
    restart="a restart of the job from its last checkpoint or savepoint commits the transaction if that holds it, and "
    "otherwise aborts it and writes its records again",
    abort="an abort loses the records of a checkpoint, which the job believes are committed and does not write again",
    first="restart the job from its last checkpoint or savepoint, and abort only if it will never restart from there",
    safe="no",
)
STREAMS = Client(
    "streams",
    "Kafka Streams",
    restart="a restart with the same state directory has the same id and aborts the transaction; without it (a new "
    "pod, with exactly_once_v2) the id is another one, the transaction ends by its timeout, and until then no process "
    "can restore a store in whose changelog it is open",
    abort="an abort is safe: the input of the transaction is read again",
    first="check whether the process with this id still runs, and never fence a thread that is alive",
    safe="yes",
)
CONNECT = Client(
    "connect",
    "an exactly-once source of Kafka Connect",
    restart="a restarted task fences its id, and that aborts the transaction",
    abort="an abort is safe: the source's offsets are in the same transaction, and the task reads its source again",
    first="restart the connector's task: it fences the id",
    safe="yes",
)
SPRING = Client(
    "spring",
    "a Spring Kafka producer",
    restart="a restart with the same transactionIdPrefix aborts the transaction",
    abort="an abort is safe only if no database transaction was committed beside it",
    first="ask whether a database transaction was committed beside it; a prefix that two instances share fences both",
    safe="ask",
)
KINDS = {one.kind: one for one in (FLINK, STREAMS, CONNECT, SPRING)}
"""The clients by their names in capture.toml."""
