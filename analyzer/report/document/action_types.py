"""What to do about a finding, how sure that is, and which known bugs bear on it, as types of the document."""

from typing import Literal, NotRequired, TypedDict

from analyzer.tables.action_words import ActionWord, Impact

ENDS_IT = frozenset({"abort", "save_then_abort"})
"""Kinds of actions that end an open transaction."""


class PlanCommand(TypedDict):
    """A command that is ready for a shell; `only`: the brokers or the case that it is for."""

    command: str
    only: NotRequired[str | None]


class PlanStep(TypedDict):
    """One step of an action, in the order to take them: what to do, what it answers, what other answers mean.

    `unsafe`: whom the commands are for that are left out, since no shell can carry a name in them; the first answer
    says so then.
    """

    stage: Literal["stop", "save", "check", "act", "verify", "restore", "look"]
    text: str
    commands: list[PlanCommand]
    expect: NotRequired[str | None]
    answers: list[str]
    place: NotRequired[str | None]
    unsafe: NotRequired[list[str] | None]


class Action(TypedDict):
    """What to do; commands are ready for a shell."""

    kind: Literal["abort", "save_then_abort", "rescue", "wait", "fetch", "none"]
    word: NotRequired[ActionWord | None]
    summary: NotRequired[str | None]
    command: NotRequired[str | None]
    check_command: NotRequired[str | None]
    check_tool: NotRequired[str | None]
    check_subcommand: NotRequired[str | None]
    check_expect: NotRequired[str | None]
    save_command: NotRequired[str | None]
    warning: NotRequired[str | None]
    loses_records: NotRequired[int | None]
    discards: NotRequired[int | None]
    decided: NotRequired[Literal["COMMIT", "ABORT", "nothing"] | None]
    state: NotRequired[str | None]
    steps: NotRequired[list[PlanStep] | None]


class Readers(TypedDict):
    """What readers were given wrongly: its kind, and how many records it is about, where that is known."""

    impact: Impact
    records: NotRequired[int | None]


class Sure(TypedDict):
    """How sure one part of a finding is: that it hangs, why, and that an abort is safe."""

    question: Literal["it hangs", "why", "an abort is safe"]
    answer: Literal["certain", "likely", "possible", "yes", "no", "ask"]
    because: str
    evidence: list[int]


class Owner(TypedDict):
    """Whose the transactional id is; a hint by several names where it is not `certain`."""

    kind: str
    words: str
    ground: str
    certain: bool
    restart: str
    abort: str
    first: str


class Way(TypedDict):
    """How commands reach the brokers: `exec` is the beginning of one, `source` is `options` or a file and line."""

    bootstrap: NotRequired[str]
    command_config: NotRequired[str]
    exec: NotRequired[str]
    source: str


class KnownBug(TypedDict):
    """A known bug that may be why; `shown`: something in the files speaks for it, not only the brokers' release."""

    issue: str
    shown: bool
    mechanism: str
    affected: str
    speaks: str
    against: str
    remedy: str
    sure: bool
    step: NotRequired[str | None]
