"""docs/stages.md, written from the stages themselves: `make stages` runs this module."""

from pathlib import Path

from analyzer.pipeline.reported import ROOMS
from analyzer.stages.graph import Graph, how
from analyzer.stages.stage import Stage

PAGE = Path(__file__).parent.parent.parent / "docs" / "stages.md"
HEAD = """# The stages

What an analysis computes, step by step; `make stages` writes this page, `txn-forensics detectors --stages` prints the
same. A stage is a function from tables to a table. It is not run if all tables that it reads are empty. The tables beside
it are only compared with, and those in which few rows are asked for are narrowed to these. Tables in `code` are declared:
detectors read them, and `txn-forensics sql` queries them. Those in *italics* are private.

## The rooms

An arrow leads from the room that makes tables to the one that takes them.
"""


def page() -> str:
    """The page: the rooms as a diagram, then the stages of each room with the meaning of their tables."""
    graph = Graph(ROOMS)
    arrows = [f"  {home} --> {room}" for room in ROOMS for home in graph.arrows(room) if home]
    lines = [HEAD, "```mermaid", "flowchart LR", *arrows, "```", ""]
    for room, stages in ROOMS.items():
        lines += [f"## {room}", "", "| table | reads | beside | kept |", "|---|---|---|---|"]
        lines += [row(stage) for stage in stages]
        told = [f"- `{one.name}`: {one.meaning}" for stage in stages if (one := stage.declared)]
        lines += ["", *told, *([""] if told else [])]
    return "\n".join(lines).rstrip() + "\n"


def row(stage: Stage) -> str:
    """A line of a room's table."""
    name = f"`{stage.name}`" if stage.declared else f"*{stage.name}*"
    reads = ", ".join(stage.reads) + (f"; without rows {stage.otherwise}" if stage.otherwise else "")
    return f"| {name} | {reads} | {', '.join(stage.beside)} | {', '.join(how(stage))} |"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
