"""Shows on stderr what is being done: one line, redrawn, on a terminal only."""

import sys
import threading
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status

AFTER_SECONDS = 2.0
"""A command that takes less time shows nothing."""


class Progress:
    """A line on stderr for as long as the context lasts."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Stay silent when asked to, and where stderr is no terminal."""
        self._console = Console(file=sys.stderr)
        self._shown = not quiet and self._console.is_terminal
        self._text = "scan"
        self._status: Status | None = None
        self._timer = threading.Timer(AFTER_SECONDS, self._start)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        """Start the timer after which the line appears."""
        if self._shown:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the line."""
        self._timer.cancel()
        if self._status is not None:
            self._status.stop()

    def stage(self, text: str) -> None:
        """Show the stage that begins."""
        self._text = text
        if self._status is not None:
            self._status.update(text)

    def bytes(self, what: str, done: int, total: int) -> None:
        """Show how many bytes of how many a stage has done."""
        percent = f"{100 * done // total} %" if total else ""
        self.stage(f"{what}  {done / (1 << 20):,.0f} of {total / (1 << 20):,.0f} MiB  {percent}")

    def _start(self) -> None:
        self._status = self._console.status(self._text)
        self._status.start()
