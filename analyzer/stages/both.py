"""Two steps that do not need one another, side by side."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

First = TypeVar("First")
Second = TypeVar("Second")


def side_by_side(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Run the second in a thread of its own and return what both give; an error of either is raised.

    While one small plan is made, an engine has a core left for another.
    """
    with ThreadPoolExecutor(1) as beside:
        later = beside.submit(second)
        return first(), later.result()
