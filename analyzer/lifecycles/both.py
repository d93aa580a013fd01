"""Two steps that do not need one another, side by side or in turn."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

First = TypeVar("First")
Second = TypeVar("Second")


class Both(Protocol):
    """Runs two steps and returns what both give. An error of either is raised."""

    def __call__(self, first: Callable[[], First], second: Callable[[], Second], /) -> tuple[First, Second]:
        """Run both."""


def side_by_side(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Run the second in a thread of its own: while one small plan is made, an engine has a core left for another."""
    with ThreadPoolExecutor(1) as beside:
        later = beside.submit(second)
        return first(), later.result()


def in_turn(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Run one after the other: a large plan has work for every core, and two at once need the memory of both."""
    return first(), second()
