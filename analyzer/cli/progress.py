"""Shows on stderr what is being done: one line, redrawn, on a terminal; lines elsewhere, for stages that take long."""

import sys
import threading
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status
from rich.text import Text

from analyzer.errors import Stopped

AFTER_SECONDS = 2.0
"""A stage that takes less time shows nothing."""
LINE_SECONDS = 30.0
"""How often a stage that goes on is told where stderr is no terminal."""
_MIB = 1 << 20
_BAR_CELLS = 24


class Progress:
    """What a command does, on stderr, for as long as the context lasts."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Stay silent when asked to."""
        self._console = Console(file=sys.stderr)
        self._quiet = quiet
        self._name, self._detail, self._begun = "scan", "", time.monotonic()
        self._status: Status | None = None
        self._done = threading.Event()
        self._beside = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        """Start the thread that shows a stage when it takes long."""
        if not self._quiet:
            self._beside.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the line, or write the last one. Raises Stopped for Ctrl-C while nothing was being stored."""
        self._done.set()
        if self._status is not None:
            self._status.stop()
        self._tell()
        if kind is KeyboardInterrupt:
            raise Stopped("stopped; nothing was being stored.") from value

    def __rich__(self) -> Text:
        """Return the line as it is now: the stage, what of it is done, since when it runs."""
        return Text("  ".join(filter(None, (f"{self._name:<12}", self._detail, f"{self._seconds():.0f} s"))))

    def stage(self, text: str) -> None:
        """Show the stage that begins."""
        if text != self._name:
            self._tell()
            self._name, self._detail, self._begun = text, "", time.monotonic()

    def bytes(self, what: str, done: int, total: int) -> None:
        """Show how many bytes of how many a stage has done."""
        self.stage(what)
        filled = _BAR_CELLS * done // total if total else _BAR_CELLS
        bar = "#" * filled + "." * (_BAR_CELLS - filled)
        percent = 100 * done // total if total else 100
        self._detail = f"[{bar}] {percent:3} %  {done / _MIB:,.0f} of {total / _MIB:,.0f} MiB"

    def _seconds(self) -> float:
        return time.monotonic() - self._begun

    def _tell(self) -> None:
        """Write the line of a stage that took long, where no line is redrawn."""
        if not self._quiet and not self._console.is_terminal and self._seconds() >= AFTER_SECONDS:
            sys.stderr.write(f"{self.__rich__().plain}\n")

    def _watch(self) -> None:
        """Begin to redraw the line on a terminal; elsewhere write it now and then."""
        if self._console.is_terminal:
            if not self._done.wait(AFTER_SECONDS):
                self._status = self._console.status(self, refresh_per_second=4)
                self._status.start()
            return
        while not self._done.wait(LINE_SECONDS):
            self._tell()
