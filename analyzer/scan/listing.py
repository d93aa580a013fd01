"""Reads manifest.txt: the moment of each file of an archive of collect.sh, and which segments it left on the broker."""

import dataclasses
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from analyzer.scan.walking import Found

FILE_NAME = "manifest.txt"
HEAD = b"collect.sh\t"
"""The first bytes of a manifest, which tell it from other files of that name."""
_NAME = re.compile(r"(?!.*(?:^|/)\.\.?/)[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)+")


@dataclasses.dataclass(frozen=True, slots=True)
class Moments:
    """When an archive was begun, and as of when one of its files shows the broker; epoch ms."""

    taken_at: int
    copied_at: int


@dataclasses.dataclass(frozen=True, slots=True)
class Listing:
    """What the manifests under the paths of a capture say, by path as the user sees it."""

    moments: dict[str, Moments] = dataclasses.field(default_factory=dict)
    left: dict[str, int] = dataclasses.field(default_factory=dict)
    """The bytes of each segment that is on a broker and not in its archive."""


def read_listings(found: Iterable[Found]) -> Listing:
    """Return what every manifest.txt of collect.sh among these files says; a line that is none of its own is ignored.

    Files of a broker that did not run when they were copied show the moment of its last sign of life; what tools
    answered (`view`) shows that at which they were asked.
    """
    listing = Listing()
    for one in found:
        if one.problem is None and is_listing(one.path):
            _add(listing, one.path.read_text("utf-8", "replace"), PurePosixPath(one.relative).parent.parent)
    return listing


def is_listing(path: Path) -> bool:
    """Return whether the file is a manifest.txt of collect.sh."""
    if path.name != FILE_NAME:
        return False
    try:
        with path.open("rb") as stream:
            return stream.read(len(HEAD)) == HEAD
    except OSError:
        return False


def _add(listing: Listing, text: str, archive: PurePosixPath) -> None:
    """Add the lines of one manifest; its names begin at `archive`."""
    taken_at, running = None, True
    for line in text.splitlines():
        match line.split("\t"):
            case ["captured_at", number, _, life] if number.isdecimal():
                taken_at, running = int(number), life != "stopped"
            case ["file", name, _, copied, *_] if taken_at and _NAME.fullmatch(name) and copied.isdecimal():
                moments = Moments(taken_at, int(copied) if running else taken_at)
                listing.moments[(archive / name).as_posix()] = moments
            case ["view", name, _, asked, *_] if taken_at and _NAME.fullmatch(name) and asked.isdecimal():
                listing.moments[(archive / name).as_posix()] = Moments(taken_at, int(asked))
            case ["there", name, size] if _NAME.fullmatch(name) and size.isdecimal():
                listing.left[(archive / name).as_posix()] = int(size)
