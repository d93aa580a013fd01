"""Reads a raw file in windows through a file handle, so that a file that shrinks meanwhile only ends earlier.

A memory map would not do: the system kills a process that touches a page past the new end (SIGBUS).
"""

import os
from pathlib import Path
from typing import Self


class RawBytes:
    """An open file of `size` bytes; if it turns out shorter, `size` becomes where it ends and `fault` says why."""

    def __init__(self, path: str | Path) -> None:
        """Open the file. Raises OSError if it cannot be opened."""
        self._stream = Path(path).open("rb", buffering=0)  # noqa: SIM115 - closed by __exit__
        self.size = self.opened_size = os.fstat(self._stream.fileno()).st_size
        self.fault: str | None = None
        self._window = bytearray()

    def __enter__(self) -> Self:
        """Return the open file."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._stream.close()

    def read(self, start: int, stop: int) -> memoryview:
        """Return the bytes from `start` to `stop`, fewer if the file ends before."""
        return self._fill(start, memoryview(bytearray(max(min(stop, self.size) - start, 0))))

    def window(self, start: int, count: int) -> memoryview:
        """Return `count` bytes from `start` on, fewer at the file's end; valid until the next window."""
        count = max(min(count, self.size - start), 0)
        if count > len(self._window):
            self._window = bytearray(count)
        return self._fill(start, memoryview(self._window)[:count])

    def _fill(self, start: int, target: memoryview) -> memoryview:
        """Fill the target from byte `start` on and return it, cut where the file ends."""
        got = 0
        try:
            self._stream.seek(start)
            while got < len(target) and (count := self._stream.readinto(target[got:])):
                got += count
        except OSError as fault:
            self.fault = f"the file cannot be read from byte {start + got} on: {fault.strerror or fault}"
        if got < len(target):
            self.size = start + got
            self.fault = self.fault or f"the file shrank to {self.size} of {self.opened_size} bytes while it was read"
        return target[:got]
