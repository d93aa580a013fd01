"""Kafka's admin tools as one-line commands, quoted for a POSIX shell; None for a name that it cannot carry."""

import re
import shlex
import unicodedata

from analyzer.kafka.versions import RENAMES_OPTIONS, Brokers

ADMIN = "--bootstrap-server $BOOTSTRAP"
"""$BOOTSTRAP is the reader's; `reach` puts in what is known."""
TRANSACTIONS_TOOL, GROUPS_TOOL, TOPICS_TOOL = "kafka-transactions.sh", "kafka-consumer-groups.sh", "kafka-topics.sh"
CONSUMER_TOOL, DUMP_TOOL = "kafka-console-consumer.sh", "kafka-dump-log.sh"
TRANSACTIONS = f"{TRANSACTIONS_TOOL} {ADMIN}"
LIST = f"{TRANSACTIONS} list"
"""What names every id with its state, where a client's log names none."""
UNAVAILABLE = f"{TOPICS_TOOL} {ADMIN} --describe --unavailable-partitions"
"""What names every partition without a leader."""
GROUPS = f"{GROUPS_TOOL} {ADMIN}"
_LEGAL_TOPIC = re.compile(r"[a-zA-Z0-9._-]{1,249}")
UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of characters that a shell or terminal does not carry as they are."""


def is_topic(name: str) -> bool:
    """Return whether Kafka takes this as the name of a topic (`Topic.validate`)."""
    return _LEGAL_TOPIC.fullmatch(name) is not None and name not in {".", ".."}


def option(name: str, value: str) -> str | None:
    """Return an option with its value; None for a value that a shell or terminal does not carry as it is.

    A value that begins with a dash would be taken for an option, one that begins with `=` for a command's path by zsh.
    """
    if any(unicodedata.category(letter) in UNSAFE for letter in value):
        return None
    quoted = shlex.quote(value)
    if value.startswith("-"):
        return f"{name}={quoted}"
    return f"{name} '{value}'" if value.startswith("=") and quoted == value else f"{name} {quoted}"


def place(topic: str, partition: int) -> str | None:
    """Return the options that name a partition; None for what cannot be a topic."""
    given = option("--topic", topic) if is_topic(topic) else None
    return None if given is None else f"{given} --partition {partition}"


def abort_at(topic: str, partition: int, first_offset: int) -> str | None:
    """Return the command that ends the transaction that is open from this offset on (KIP-664, brokers 2.8 and newer).

    It asks the leader for its producer, and fails if none is open from exactly this offset.
    """
    given = place(topic, partition)
    return given and f"{TRANSACTIONS} abort {given} --start-offset {first_offset}"


def abort_of(topic: str, partition: int, producer_id: int, epoch: int, coordinator_epoch: int) -> str | None:
    """Return the command that ends whatever this producer has open in the partition, for brokers of any version."""
    given = place(topic, partition)
    values = f"--producer-id {producer_id} --producer-epoch {epoch} --coordinator-epoch {max(coordinator_epoch, 0)}"
    return given and f"{TRANSACTIONS} abort {given} {values}"


def expire_at(topic: str, partition: int, producer_id: int, epoch: int) -> str | None:
    """Return the request that ends what this producer has open in the partition, for Redpanda's brokers.

    They have no WriteTxnMarkers, which kafka-transactions.sh abort sends, and rpk ends nothing. Any broker's Admin API
    hands this one to the leader, which asks the coordinator first: a transaction that is decided COMMIT is committed.
    Source: Redpanda's partition.json, `mark_transaction_expired`, `rm_stm::do_try_abort_old_tx`.
    """
    if not is_topic(topic):
        return None
    path = f"v1/partitions/kafka/{topic}/{partition}/mark_transaction_expired?id={producer_id}&epoch={epoch}"
    return f'curl -fsS -X POST "http://$ADMIN/{path}"'


def describe_producers(topic: str, partition: int) -> str | None:
    """Return the command that lists the partition's producers and their open transactions (brokers 2.8 and newer)."""
    given = place(topic, partition)
    return given and f"{TRANSACTIONS} describe-producers {given}"


def describe_id(transactional_id: str) -> str | None:
    """Return the command that asks the coordinator about an id (brokers 3.0 and newer)."""
    given = option("--transactional-id", transactional_id)
    return given and f"{TRANSACTIONS} describe {given}"


def find_hanging(topic: str, partition: int) -> str | None:
    """Return the command that asks whether a transaction of this partition hangs (brokers 3.0 and newer)."""
    given = place(topic, partition)
    return given and f"{TRANSACTIONS} find-hanging {given}"


def find_hanging_in(topic: str) -> str | None:
    """Return the command that asks whether a transaction of any partition of a topic hangs (brokers 3.0 and newer)."""
    given = option("--topic", topic) if is_topic(topic) else None
    return given and f"{TRANSACTIONS} find-hanging {given}"


def force_terminate(transactional_id: str) -> str | None:
    """Return the command that has the coordinator abort what an id has open, and fences it (4.1 and newer, KIP-939)."""
    given = option("--transactionalId", transactional_id)
    return given and f"{TRANSACTIONS} forceTerminateTransaction {given}"


def describe_topic(topic: str) -> str | None:
    """Return the command that prints a topic's partitions and their leaders."""
    given = option("--topic", topic) if is_topic(topic) else None
    return given and f"{TOPICS_TOOL} {ADMIN} --describe {given}"


def members(group: str) -> str | None:
    """Return the command that lists a group's members and their partitions."""
    given = option("--group", group)
    return given and f"{GROUPS} --describe --members --verbose {given}"


def group_state(group: str) -> str | None:
    """Return the command that prints whether a group has members: the state Empty, Stable, ..."""
    given = option("--group", group)
    return given and f"{GROUPS} --describe --state {given}"


def group_positions(group: str) -> str | None:
    """Return the command that prints the committed positions of a group."""
    given = option("--group", group)
    return given and f"{GROUPS} --describe {given}"


def reset_position(group: str, topic: str, partition: int, position: int, *, execute: bool) -> str | None:
    """Return the command that sets the position of a group without members; without `execute` it only prints it."""
    given = option("--group", group)
    if given is None or not is_topic(topic):
        return None
    deed = "--execute" if execute else "--dry-run"
    return f"{GROUPS} --reset-offsets {given} {option('--topic', f'{topic}:{partition}')} --to-offset {position} {deed}"


def print_range(topic: str, partition: int, first: int, last: int | None) -> str | None:
    """Return the command that writes the records of a range of offsets into a file, as text, with their offsets.

    Without a last one it reads up to the end of the log.
    """
    given = place(topic, partition)
    shown = " ".join(f"--property print.{name}=true" for name in ("offset", "timestamp", "key", "headers"))
    file = shlex.quote(f"{topic}-{partition}-{first}.txt")
    most = "" if last is None else f"--max-messages {last - first + 1} "
    return given and (f"{CONSUMER_TOOL} {ADMIN} {given} --offset {first} {most}--timeout-ms 30000 {shown} > {file}")


def forms(command: str | None, brokers: Brokers, only: str = "") -> tuple[tuple[str | None, str], ...]:
    """Return a command that prints records in the form that tools of these brokers take, and what it is for: `only`.

    Both forms where the version is not known: kafka-console-consumer.sh renames --property in 4.2 (KIP-1147).
    """
    if command is None or not brokers.may_be(RENAMES_OPTIONS):
        return ((command, only),)
    new = command.replace(" --property ", " --formatter-property ")
    if brokers.are(RENAMES_OPTIONS):
        return ((new, only),)
    first = f"{only}; " if only else ""
    return ((command, f"{first}tools before 4.2"), (new, f"{first}tools 4.2 and newer"))
