"""What an action is made of: steps in a safe order, each with its commands, what they answer, and what that means."""

import dataclasses
from collections.abc import Sequence
from typing import Literal

from analyzer.report.document.action_types import PlanCommand, PlanStep
from analyzer.report.document.types import Finding
from analyzer.report.sentences.commands import UNSAFE

Stage = Literal["stop", "save", "check", "act", "verify", "restore", "look"]
"""Check and act are never one paste: a check is read, then something is done."""

CHECKS, FIRST_CHECK, SAVED = "\0checks\0", "\0first\0", "\0saved\0"
STOPPED, VERIFIED, RESTORED, ASKED = "\0stopped\0", "\0verified\0", "\0restored\0", "\0asked\0"
"""Other steps in a step's words, until the plan is whole and they have numbers: the checks since the last deed, the
first of them, the last save, the last stop, the last look afterwards, the last restoring, the question to the
owner, which is the first look. No name that is shown has a NUL."""


@dataclasses.dataclass(frozen=True, slots=True)
class Command:
    """A command for a POSIX shell; `only` says for which brokers or case it is, empty for all.

    `text` is None where a name in it cannot be passed safely.
    """

    text: str | None
    only: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """Something to do: a sentence, its commands, what they should answer, and what other answers mean.

    `place`: the partition (`topic-partition`) whose open transaction it asks for or ends. `records`: its first command
    saves records; this is for the making of a plan alone. `number`: its place in a plan that is read.
    """

    stage: Stage
    text: str
    commands: tuple[Command, ...] = ()
    expect: str = ""
    answers: tuple[str, ...] = ()
    place: str = ""
    records: bool = dataclasses.field(default=False, compare=False)
    number: int = dataclasses.field(default=0, compare=False)


def steps_of(finding: Finding) -> tuple[Step, ...]:
    """Return the plan of a finding as its document has it; none where an older program wrote it without."""
    return tuple(_read(step, number) for number, step in enumerate(finding["action"].get("steps") or (), 1))


def _read(step: PlanStep, number: int) -> Step:
    unsafe = step.get("unsafe") or []
    given = [Command(one["command"], one.get("only") or "") for one in step["commands"]]
    answers = tuple(step["answers"][1 if unsafe else 0 :])  # the first says that there is no command
    every = (*given, *(Command(None, only) for only in unsafe))
    expect, place = step.get("expect") or "", step.get("place") or ""
    return Step(step["stage"], step["text"], every, expect, answers, place, number=number)


def written(step: Step) -> PlanStep:
    """Return a step as a document has it."""
    given: list[PlanCommand] = [
        {"command": one.text, "only": one.only} if one.only else {"command": one.text}
        for one in step.commands
        if one.text is not None
    ]
    unsafe = [one.only for one in step.commands if one.text is None]
    told: PlanStep = {"stage": step.stage, "text": step.text, "commands": given, "answers": [*step.answers]}
    if step.expect:
        told["expect"] = step.expect
    if step.place:
        told["place"] = step.place
    if unsafe:
        told |= {"unsafe": unsafe, "answers": [UNSAFE, *step.answers]}
    return told


def commands(*given: tuple[str | None, str]) -> tuple[Command, ...]:
    """Return the commands of (command, only) pairs."""
    return tuple(Command(text, only) for text, only in given)


def numbered(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps of a whole plan with the numbers of the steps that they speak of, and without repetition."""
    told = [_named(step, steps, place) for place, step in enumerate(steps)]
    return tuple(_news(step, told[:place]) for place, step in enumerate(told))


def _news(step: Step, before: Sequence[Step]) -> Step:
    """Return a deed, or a look afterwards, without what an earlier one of the plan has said; a check says all."""
    if step.stage not in {"act", "verify"}:
        return step
    said = {answer for one in before if one.stage == step.stage for answer in one.answers}
    return dataclasses.replace(step, answers=tuple(one for one in step.answers if one not in said))


def _named(step: Step, steps: Sequence[Step], place: int) -> Step:
    checks = _checks(steps, place)
    last = {one.stage: f"step {number}" for number, one in enumerate(steps, 1)}
    before = {one.stage: f"step {number}" for number, one in enumerate(steps[:place], 1)}
    asked = next((number for number, one in enumerate(steps[:place], 1) if one.stage == "look"), None)
    names = {
        ASKED: "the question before" if asked is None else f"step {asked}",
        CHECKS: _all(checks),
        FIRST_CHECK: f"step {checks[0]}" if checks else "the check before",
        SAVED: before.get("save", "the save before"),
        STOPPED: before.get("stop", "the stop before"),
        VERIFIED: f"{last['verify']} passes" if "verify" in last else "the end",
        RESTORED: last.get("restore", "the end"),
    }

    def said(text: str) -> str:
        for mark, words in names.items():
            text = text.replace(mark, words)
        return text

    return dataclasses.replace(step, text=said(step.text), answers=tuple(map(said, step.answers)))


def _checks(steps: Sequence[Step], place: int) -> list[int]:
    """Return the numbers of the checks before this place that no deed and no look afterwards has made old."""
    found: list[int] = []
    for number in range(place, 0, -1):
        stage = steps[number - 1].stage
        if stage in {"act", "verify"}:
            break
        if stage == "check":
            found.insert(0, number)
    return found


def _all(numbers: Sequence[int]) -> str:
    """Return `step 3`, `steps 3 and 4 both`, `steps 3, 4 and 5 all`."""
    if len(numbers) <= 1:
        return f"step {numbers[0]}" if numbers else "the check before"
    *before, last = map(str, numbers)
    return f"steps {', '.join(before)} and {last} {'all' if before[1:] else 'both'}"
