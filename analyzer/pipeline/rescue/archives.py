"""Files of a capture that were read from archives, unpacked again: their folder went with the run that read them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from analyzer.scan.archives import Unpacked, is_archive
from analyzer.scratch import unpacked_member

Row = Mapping[str, Any]


@contextmanager
def reopened(files: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield rows of `capture_files`, those of archives where they are unpacked now, until the context ends.

    A row whose archive is gone, or does not hold a file of that name and size any more, stays as it is.
    """
    lost = {place for place, one in enumerate(files) if _is_lost(one["absolute_path"])}
    opened = {one["path"]: Unpacked(Path(one["absolute_path"])) for one in files if lost and _is_there(one)}
    yield [_found(one, opened) if place in lost else one for place, one in enumerate(files)]
    opened.clear()


def _is_lost(path: str | None) -> bool:
    return bool(unpacked_member(path)) and not Path(path or "").exists()


def _is_there(file: Row) -> bool:
    path = Path(file["absolute_path"] or "")
    return file["file_kind"] == "archive" and path.is_file() and is_archive(path)


def _found(file: Row, opened: Mapping[str, Unpacked]) -> Row:
    places = (one.folder / unpacked_member(file["absolute_path"]) for one in _holding(file["path"], opened))
    place = next((one for one in places if one.is_file() and one.stat().st_size == file["bytes"]), None)
    return file if place is None else {**file, "absolute_path": str(place)}


def _holding(path: str, opened: Mapping[str, Unpacked]) -> Iterator[Unpacked]:
    """Yield the archive that the path names, or all where it names none: of one that was PATH itself it does not."""
    named = [opened[str(one)] for one in PurePosixPath(path).parents if str(one) in opened]
    yield from named or opened.values()
