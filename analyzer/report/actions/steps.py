"""What an action is made of: steps in a safe order, each with its commands, what they answer, and what that means."""

import dataclasses
from typing import Literal

Stage = Literal["stop", "save", "check", "act", "verify", "restore", "look"]
"""Check and act are never one paste: a check is read, then something is done."""


@dataclasses.dataclass(frozen=True, slots=True)
class Command:
    """A command for a POSIX shell; `only` says for which brokers or case it is, empty for all.

    `text` is None where a name in it cannot be passed safely.
    """

    text: str | None
    only: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """Something to do: a sentence, its commands, what they should answer, and what other answers mean."""

    stage: Stage
    text: str
    commands: tuple[Command, ...] = ()
    expect: str = ""
    answers: tuple[str, ...] = ()


def commands(*given: tuple[str | None, str]) -> tuple[Command, ...]:
    """Return the commands of (command, only) pairs."""
    return tuple(Command(text, only) for text, only in given)
