"""Kafka's admin commands for a partition, an offset or an id, quoted for a shell."""

import shlex
import unicodedata

ADMIN = "--bootstrap-server $BOOTSTRAP"


def abort_command(topic: str, partition: int, first_offset: int) -> str:
    """Return the command that ends the transaction that is open from this offset on (KIP-664, brokers 3.0+)."""
    return (
        f"kafka-transactions.sh {ADMIN} abort --topic {shlex.quote(topic)} --partition {partition} "
        f"--start-offset {first_offset}"
    )


def describe_command(transactional_id: str) -> str | None:
    """Return the command that asks the coordinator; None for an id that cannot be passed safely in a shell."""
    if any(unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for letter in transactional_id):
        return None
    return f"kafka-transactions.sh {ADMIN} describe --transactional-id {shlex.quote(transactional_id)}"


def save_command(topic: str, partition: int, first_offset: int, records: int) -> str:
    """Return the command that prints the records of an open transaction, which read_committed would hide."""
    return (
        f"kafka-console-consumer.sh {ADMIN} --topic {shlex.quote(topic)} --partition {partition} "
        f"--offset {first_offset} --max-messages {records} "
        "--property print.key=true --property print.headers=true"
    )


def producers_command(topic: str, partition: int) -> str:
    """Return the command that lists the partition's open transactions."""
    return f"kafka-transactions.sh {ADMIN} describe-producers --topic {shlex.quote(topic)} --partition {partition}"


def find_hanging_command(topic: str, partition: int) -> str:
    """Return the command that asks the brokers whether a transaction of this partition hangs (KIP-664)."""
    return f"kafka-transactions.sh {ADMIN} find-hanging --topic {shlex.quote(topic)} --partition {partition}"


def members_command(group: str) -> str | None:
    """Return the command that lists a group's members and partitions; None for one that cannot be passed in a shell."""
    if any(unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for letter in group):
        return None
    return f"kafka-consumer-groups.sh {ADMIN} --describe --members --verbose --group {shlex.quote(group)}"
