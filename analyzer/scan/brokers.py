"""Names the broker and the cluster of each log dir by its meta.properties, for layouts whose folders do not tell."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from analyzer.kafka.placement import place_of
from analyzer.opening import DAMAGE, PACKED_AS, name_before, open_text
from analyzer.scan.walking import Found

FILE_NAME = "meta.properties"
_ID = re.compile(r"^\s*(?:node|broker)\.id\s*[=:]\s*(\d+)\s*$", re.MULTILINE)
_CLUSTER = re.compile(r"^\s*cluster\.id\s*[=:]\s*(\S+)\s*$", re.MULTILINE)
_READ_BYTES = 4096


def brokers_of(found: Sequence[Found]) -> dict[str, str]:
    """Return the broker of each folder that holds a meta.properties or partitions, by its path as the user sees it.

    Where no meta.properties tells the number, the path stands for it. Log dirs of one broker, on several disks, have
    different partitions. Where two of the same number have the same one, they are copies of two moments: neither has
    the number, so that their folders tell them apart.
    """
    told = {one.relative.rpartition("/")[0]: ids for one in found if (ids := _ids(one)) is not None}
    dirs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for folder, ids in told.items():
        dirs[ids].append(folder)
    numbers = [number for number, _ in dirs]
    held = _partitions(found)
    named = {
        folder: number
        for (number, _), folders in dirs.items()
        if numbers.count(number) == 1 and not _overlap([held.get(folder, set()) for folder in folders])
        for folder in folders
    }
    return {folder: folder for folder in held if folder} | named


def clusters_of(found: Iterable[Found]) -> dict[str, str]:
    """Return each cluster whose id a meta.properties tells, with the first folder that does."""
    told: dict[str, str] = {}
    for one in found:
        if _tells(one) and (match := _CLUSTER.search(_beginning(one.path))):
            told.setdefault(match[1], str(PurePosixPath(one.relative).parent))
    return told


def _ids(one: Found) -> tuple[str, str] | None:
    """Return the number of the broker and its cluster's id, None if this file does not tell."""
    if not _tells(one):
        return None
    text = _beginning(one.path)
    number, cluster = _ID.search(text), _CLUSTER.search(text)
    return (number[1], cluster[1] if cluster else "") if number else None


def _tells(one: Found) -> bool:
    return one.problem is None and name_before(one.path.name) == FILE_NAME


def _beginning(path: Path) -> str:
    try:
        with open_text(path, PACKED_AS.get(path.suffix, "")) as stream:
            return stream.read(_READ_BYTES).decode("utf-8", "replace")
    except DAMAGE:
        return ""


def _partitions(found: Iterable[Found]) -> dict[str, set[str]]:
    """Return the names of the partitions' folders of each folder that holds some, that of the whole capture as ""."""
    held: dict[str, set[str]] = defaultdict(set)
    for one in found:
        place, folders = place_of(one.relative), one.relative.split("/")[:-1]
        own = f"{place.topic}-{place.partition}"
        if own in folders:
            held["/".join(folders[: folders.index(own)])].add(own)
    return held


def _overlap(sets: Sequence[set[str]]) -> bool:
    return sum(map(len, sets)) > len(set().union(*sets))
