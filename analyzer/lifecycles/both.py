"""Two steps side by side: while one small plan is made, an engine has a core left for another."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

First = TypeVar("First")
Second = TypeVar("Second")


def both(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Return what both steps give; the second runs in a thread of its own. An error of either is raised."""
    with ThreadPoolExecutor(1) as beside:
        later = beside.submit(second)
        return first(), later.result()
