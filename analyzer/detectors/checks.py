"""Looks at the cluster that findings ask for: a command with its tool and subcommand, and what it should answer."""

import dataclasses

from analyzer.kafka import admin_tools


@dataclasses.dataclass(frozen=True, slots=True)
class Check:
    """A look at the cluster; `command` is None where there is no name to ask for, or none that a shell can carry."""

    command: str | None
    tool: str
    subcommand: str | None = None
    expect: str | None = None


def of_id(transactional_id: str | None, expect: str | None = None) -> Check:
    """Return the question to the coordinator of an id."""
    command = None if transactional_id is None else admin_tools.describe_id(transactional_id)
    return Check(command, admin_tools.TRANSACTIONS_TOOL, "describe", expect)


def of_partition(topic: str, partition: int, expect: str | None = None, broker: str | None = None) -> Check:
    """Return the question which transactions are open in a partition: to its leader, or to a broker of this id."""
    command = admin_tools.describe_producers(topic, partition)
    if broker is not None and command is not None:
        command = f"{command} --broker-id {broker}" if broker.isdecimal() else None
    return Check(command, admin_tools.TRANSACTIONS_TOOL, "describe-producers", expect)


def of_topic(topic: str, expect: str | None = None) -> Check:
    """Return the question where the leaders of a topic are."""
    return Check(admin_tools.describe_topic(topic), admin_tools.TOPICS_TOOL, None, expect)


def of_members(group: str, expect: str | None = None) -> Check:
    """Return the question which members a group has."""
    return Check(admin_tools.members(group), admin_tools.GROUPS_TOOL, None, expect)


def of_records(topic: str, partition: int, first: int, last: int) -> Check:
    """Return the command that prints records."""
    return Check(admin_tools.print_range(topic, partition, first, last), admin_tools.CONSUMER_TOOL)


def of_segment(base_offset: int, expect: str) -> Check:
    """Return the look into a segment, on its own broker."""
    return Check(f"{admin_tools.DUMP_TOOL} --files {base_offset:020d}.log", admin_tools.DUMP_TOOL, None, expect)
