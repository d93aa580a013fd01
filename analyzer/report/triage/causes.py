"""Incidents by their cause: what happened, once, with a letter, and the transactions that it left open, numbered."""

import dataclasses
import itertools
from collections.abc import Iterable, Sequence

from analyzer.report.document.types import Finding
from analyzer.report.sentences.action_words import only_possible
from analyzer.report.sentences.quantities import letters
from analyzer.report.triage.incident import Incident, is_open
from analyzer.tables.action_words import DANGER


@dataclasses.dataclass(frozen=True, slots=True)
class Cause:
    """What happened, once, with its letter, and the rows of each transaction that it left open, or of each finding."""

    letter: str
    head: Finding
    transactions: tuple[tuple[Incident, ...], ...]

    @property
    def rows(self) -> tuple[Incident, ...]:
        """The rows of all its transactions."""
        return tuple(itertools.chain(*self.transactions))


def by_cause(rows: Iterable[Incident]) -> tuple[Cause, ...]:
    """Return the rows by cause, transaction and place, all numbered; first the causes that other rows come from."""
    together: dict[tuple[str, str], dict[object, list[Incident]]] = {}
    heads: dict[tuple[str, str], Finding] = {}
    roots = set[tuple[str, str]]()
    told_as: dict[tuple[str, str], tuple[str, str]] = {}
    for one in rows:
        head = one.head or one.finding
        key = (head["code"], "" if only_possible(head, "why") else (head["cause"] or [""])[0])
        if head["first_offset"] is None:  # its headline is what is told of it: the same words are told once
            key = told_as.setdefault((head["code"], head["headline"]), key)
        roots |= set() if one.head is None else {key}
        if len(head["cause"]) > len(heads.setdefault(key, head)["cause"]):
            heads[key] = head
        together.setdefault(key, {}).setdefault(_transaction(one), []).append(one)
    numbers = itertools.count(1)
    told = {}
    for key in sorted(together, key=lambda key: key not in roots):
        some = sorted(together[key].values(), key=_turn)
        told[key] = [_with_numbers(group, next(numbers)) for group in some]
    every = {one.finding["id"]: one.number for some in told.values() for group in some for one in group if not one.head}
    for group in itertools.chain(*told.values()):
        group[:] = [
            one if one.head is None else dataclasses.replace(one, head_number=every.get(one.head["id"], ""))
            for one in group
        ]
    return tuple(
        Cause(letters(place).upper(), heads[key], tuple(map(tuple, some)))
        for place, (key, some) in enumerate(told.items())
    )


def _transaction(one: Incident) -> object:
    """Return what the rows of one transaction share; of what is about no open data, its own id."""
    producer = (one.finding["producer_id"], one.finding["producer_epoch"])
    return producer if None not in producer and is_open(one.finding) else one.finding["id"]


def _turn(group: Sequence[Incident]) -> tuple[bool, int, bool]:
    """Return the key that puts the cause itself first, then the most dangerous, of these who holds an LSO."""
    held = any(one.holds and one.lso is not None for one in group)
    return group[0].head is not None, min(DANGER[one.action] for one in group), not held


def _with_numbers(group: Sequence[Incident], number: int) -> list[Incident]:
    if len(group) == 1:
        return [dataclasses.replace(group[0], number=str(number))]
    return [dataclasses.replace(one, number=f"{number}.{place}") for place, one in enumerate(group, 1)]
