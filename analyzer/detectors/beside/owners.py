"""Whose a transactional id is: certain where capture.toml says so, a hint by the names of the capture, or not known."""

import dataclasses
import fnmatch
from collections.abc import Iterable, Mapping
from typing import Any

from analyzer.detectors.causes import Cause
from analyzer.detectors.model import Explanation, Sure
from analyzer.kafka.clients.hints import Hint, hints
from analyzer.kafka.clients.kinds import FLINK, KINDS, STREAMS, Client
from analyzer.kafka.known_bugs import KnownBug
from analyzer.kafka.known_bugs.clients import FLINK_POOL, STREAMS_THREAD_DIES, STREAMS_THREAD_DIES_AGAIN
from analyzer.tables.moments import foreign

BUGS = {
    FLINK.kind: (FLINK_POOL,),
    STREAMS.kind: (STREAMS_THREAD_DIES, STREAMS_THREAD_DIES_AGAIN),
}
"""Known bugs of a client that leave its transaction open."""


@dataclasses.dataclass(frozen=True, slots=True)
class Owner:
    """The owner of an id; if it is not `certain`, it is a hint."""

    client: Client
    words: str
    ground: str
    certain: bool

    def told(self) -> dict[str, Any]:
        """Return the owner as the document has it."""
        one = self.client
        return {
            "kind": one.kind, "words": self.words, "ground": self.ground, "certain": self.certain,
            "restart": one.restart, "abort": one.abort, "first": one.first,
        }  # fmt: skip


@dataclasses.dataclass(frozen=True, slots=True)
class Owners:
    """The owners of a capture's ids: what capture.toml says by pattern, and hints by id."""

    given: Mapping[str, str] = dataclasses.field(default_factory=dict)
    hinted: Mapping[str, Hint] = dataclasses.field(default_factory=dict)

    def of(self, transactional_id: str | None) -> Owner | None:
        """Return the owner of an id, None where nothing tells one."""
        if transactional_id is None:
            return None
        for pattern, kind in self.given.items():
            if fnmatch.fnmatchcase(transactional_id, pattern):
                client = KINDS[kind]
                return Owner(client, client.title, f'capture.toml says so: "{pattern}" = "{kind}"', certain=True)
        hint = self.hinted.get(transactional_id)
        return None if hint is None else Owner(hint.client, hint.words, hint.ground, certain=False)


def owners(given: Mapping[str, str], names: Iterable[Mapping[str, Any]]) -> Owners:
    """Return the owners of a capture; `names` are its rows of `client_names`."""
    by_kind: dict[str, list[str]] = {"id": [], "group": [], "topic": []}
    for row in names:
        by_kind[row["kind"]].append(row["name"])
    return Owners(given, hints(by_kind["id"], by_kind["group"], by_kind["topic"]))


def with_owner(words: Explanation, owner: Owner | None) -> Explanation:
    """Return an explanation with what its owner changes: whether an abort is safe where nothing was decided, and why.

    Only where the answer is to ask the owner (RULES A 10 g): a decision, or a foreign epoch, asks nobody.
    """
    if owner is None or not any(one.answer == "ask" for one in words.certainty):
        return words
    certainty = tuple(_answered(one, owner) if one.answer == "ask" else one for one in words.certainty)
    also = tuple(_bug(bug, owner) for bug in BUGS.get(owner.client.kind, ()))
    return dataclasses.replace(words, certainty=certainty, cause=(*words.cause, *also))


def _bug(bug: KnownBug, owner: Owner) -> Cause:
    """Return a known bug of the owner's client as a cause."""
    what = f"{bug.mechanism[:1].lower()}{bug.mechanism[1:].rstrip('.')} ({bug.named()})"
    return Cause(what if owner.certain else f"if it belongs to {owner.client.title}: {what}", names=(bug,))


def _answered(one: Sure, owner: Owner) -> Sure:
    ground = foreign(owner.ground)
    if owner.certain:
        because = f"nothing was decided, and the id belongs to {owner.words} ({ground}): {owner.client.abort}"
        return dataclasses.replace(one, answer=owner.client.safe, because=because)
    hint = f"perhaps it belongs to {owner.words}, since {ground}: then {owner.client.restart}, and {owner.client.abort}"
    return dataclasses.replace(one, because=f"{one.because}; {hint}")
