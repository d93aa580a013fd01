"""Shows on stderr what is being done: one line, redrawn, on a terminal; lines elsewhere, for stages that take long."""

import contextlib
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status
from rich.text import Text

from analyzer.cli.stopping import NOTHING_STORED
from analyzer.errors import Stopped

AFTER_SECONDS = 2.0
"""A stage that takes less time shows nothing."""
LINE_SECONDS = 30.0
"""How often a stage that goes on is told where stderr is no terminal."""
RATE_SECONDS = 10.0
"""The rate is that of the last so many seconds, or of the last two looks where they are further apart."""
REDRAWS_PER_SECOND = 4
_MIB = 1 << 20
_BAR_CELLS = 12


class Progress:
    """What a command does, on stderr, for as long as the context lasts; `took`: seconds of each stage that is over."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Stay silent when asked to."""
        self._console = Console(file=sys.stderr)
        self._quiet = quiet
        self._name, self._bytes, self._begun = "scan", _Bytes(), time.monotonic()
        self.took: dict[str, float] = {}
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
        self.clear()
        self._tell()
        self._over()
        if kind is KeyboardInterrupt:
            raise Stopped(NOTHING_STORED) from value

    def clear(self) -> None:
        """Remove the line for good."""
        self._done.set()
        if self._status is not None:
            self._status.stop()

    def say(self, text: str) -> None:
        """Write something that the user should know before the work is done, above the line."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def __rich__(self) -> Text:
        """Return the line as it is now: the stage, what of it is done, since when it runs."""
        return Text("  ".join(filter(None, (f"{self._name:<12}", self._bytes.told(), f"{self._seconds():.0f} s"))))

    def stage(self, text: str) -> None:
        """Show the stage that begins."""
        if text != self._name:
            self._tell()
            self._over()
            self._name, self._bytes, self._begun = text, _Bytes(), time.monotonic()

    def bytes(self, what: str, done: Callable[[], int], total: int) -> None:
        """Show how many bytes of how many a stage has done, how fast, and how long the rest takes."""
        self.stage(what)
        self._bytes.ask, self._bytes.total = done, total

    def _over(self) -> None:
        self.took[self._name] = self.took.get(self._name, 0.0) + self._seconds()

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
                self._status = self._console.status(self, refresh_per_second=REDRAWS_PER_SECOND)
                self._status.start()
            return
        while not self._done.wait(LINE_SECONDS):
            self._tell()


class _Bytes:
    """The bytes of a stage: how many are done is asked each time that they are told."""

    def __init__(self) -> None:
        """Begin without a number: most stages have none."""
        self.ask: Callable[[], int] | None = None
        self.total = 0
        self._seen: deque[tuple[float, int]] = deque([(time.monotonic(), 0)])

    def told(self) -> str:
        """Return a bar, the share, the bytes, and once something is done the rate and about how long the rest takes."""
        if self.ask is None:
            return ""
        done, now = self._seen[-1][1], time.monotonic()
        with contextlib.suppress(Exception):  # a session that is just being stopped does not answer
            done = min(self.ask(), self.total)
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[0][0] > RATE_SECONDS:  # noqa: PLR2004 - a rate needs two
            self._seen.popleft()
        filled = _BAR_CELLS * done // self.total if self.total else _BAR_CELLS
        bar = "#" * filled + "." * (_BAR_CELLS - filled)
        percent = 100 * done // self.total if self.total else 100
        amount = f"[{bar}] {percent:3} %  {done / _MIB:,.0f} of {self.total / _MIB:,.0f} MiB"
        return "  ".join([amount, *self._speed(done, now)])

    def _speed(self, done: int, now: float) -> list[str]:
        then, before = self._seen[0]
        rate = (done - before) / max(now - then, 1e-3)
        if rate <= 0:
            return []
        rest = [f"about {(self.total - done) / rate:.0f} s left"] if done < self.total else []
        return [f"{rate / _MIB:,.1f} MiB/s", *rest]
