"""The graph of the stages, as text: which table is made in which room, of which tables, and how it is kept."""

import dataclasses
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from analyzer.stages.stage import Kept, Stage

KEPT = {
    Kept.SETTLED: "settled",
    Kept.STORED: "stored",
    Kept.FACTS: "facts in place",
    Kept.PLAN: "a plan",
}
"""How the result of a stage is kept, in words."""

Rooms = Mapping[str, Sequence[Stage]]


@dataclasses.dataclass(frozen=True, slots=True)
class Graph:
    """The stages by their rooms, and where each table comes from: a room, or `stored`."""

    rooms: Rooms

    def home(self, table: str) -> str:
        """Return the room whose stage makes this table; "" for one that is stored or given."""
        return next((room for room, stages in self.rooms.items() if any(one.name == table for one in stages)), "")

    def arrows(self, room: str) -> dict[str, list[str]]:
        """Return the rooms that this room takes tables from, each with these tables."""
        taken = dict.fromkeys(name for stage in self.rooms[room] for name in stage.inputs)
        out: dict[str, list[str]] = {}
        for name in taken:
            if (home := self.home(name)) != room:
                out.setdefault(home, []).append(name)
        return out


def text(rooms: Rooms) -> Iterator[str]:
    """Yield the lines of the graph: each room with what it takes, then its stages; private tables in parentheses."""
    graph = Graph(rooms)
    for room, stages in rooms.items():
        yield room
        for home, names in graph.arrows(room).items():
            yield from _wrapped(f"  from {home or 'files'}: ", ", ".join(names))
        for stage in stages:
            yield from _wrapped(f"  {_shown(stage)} <- ", _takes(stage))
        yield ""


def _wrapped(head: str, rest: str) -> list[str]:
    return textwrap.wrap(head + rest, 118, subsequent_indent="      ", break_long_words=False, break_on_hyphens=False)


def _shown(stage: Stage) -> str:
    return stage.name if stage.declared else f"({stage.name})"


def _takes(stage: Stage) -> str:
    parts = [", ".join(stage.reads)]
    parts += [f"beside {', '.join(stage.beside)}"] if stage.beside else []
    parts += [f"unchanged {stage.otherwise} if there are none"] if stage.otherwise else []
    return f"{'; '.join(parts)} [{', '.join(how(stage))}]"


def how(stage: Stage) -> list[str]:
    """Return how the table of a stage is kept, cut and narrowed, in words."""
    out = [KEPT[stage.kept]]
    out += [f"in shares of {stage.shared_by}"] if stage.shared_by else []
    out += [f"{name} narrowed by {column} of {few}" for name, (few, column) in stage.narrowed.items()]
    return out
