"""Which log a path belongs to: replica, topic, partition and segment, as its folders and file name tell."""

import dataclasses
import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

INTERNAL = r"__(?:transaction_state|consumer_offsets|cluster_metadata)-\d"
"""How the folders of Kafka's own topics begin."""
_PARTITION = r"(\d{1,9})"
"""A partition's number; a folder may end in a date and a time, which is none."""
_STRIMZI = re.compile(rf"kafka-(\d+)(?:-disk-\d+)?-(.+)-{_PARTITION}")
_TOPIC_PARTITION = re.compile(rf"([A-Za-z0-9._-]{{1,249}})-{_PARTITION}")
_BROKER = re.compile(r"(?:broker|kafka|node|replica|server)[-_]?(\d+)", re.IGNORECASE)
_OF_BROKER = re.compile(r"(?:broker|node|replica)[-_]?(\d{1,9})(?:[-_].*)?\.[A-Za-z].*", re.IGNORECASE)
"""A file whose name says whose it is, as broker1-orders-0.txt does."""
_SEGMENT = re.compile(r"(?<!\d)(\d{20})\D")
_FLAT = re.compile(
    rf"(?:.*?(?:broker|kafka|node|replica|server)[-_]?(?P<broker>\d{{1,9}})[._ ])?(?:.*(?={INTERNAL}))?"
    rf"(?P<topic>[A-Za-z0-9._-]{{1,249}}?)-(?P<partition>\d{{1,9}})[._ -]{{1,2}}"
    r"(?:\d{20}\D|leader-epoch-checkpoint|partition\.metadata).*",
    re.IGNORECASE,
)
"""A file of a log that lies beside others of other logs: its name has its folder's, as orders-0_<segment>.log has."""
_OWN_NAME = re.compile(
    r".*?[._ -]((?:leader-epoch|(?:replication|recovery-point|cleaner|log-start)-offset)-checkpoint"
    r"|partition\.metadata)"
)
_OF_INTERNAL = re.compile(rf"(.*?){INTERNAL}\d*[._ -]{{1,2}}\d{{20}}\D")
_MAY_BE_OF_BROKER = re.compile(rf"{_BROKER.pattern}-.*", re.IGNORECASE)
_MOST = (1 << 63) - 1
"""The largest offset."""
_SET_ASIDE = re.compile(r".+-\d+\.[0-9A-Fa-f]+-(?:future|delete|stray)")
"""A folder that is no replica: one on its way to another log dir, one being deleted, one that the broker gave up."""
_OF_NO_PARTITION = re.compile(
    r"(?:meta\.properties|(?!leader-epoch-)[a-z-]+-checkpoint|capture\.toml|manifest\.txt)(?:\.gz|\.zst)?"
)
"""Files of a log dir or an archive, which belong to no partition even if a folder above is called like one."""


@dataclasses.dataclass(frozen=True, slots=True)
class Placement:
    """Where a file belongs; None for what the path does not say."""

    replica: str | None = None
    topic: str | None = None
    partition: int | None = None
    segment: int | None = None


def place_of(path: str, prefixes: Collection[str] = ()) -> Placement:
    """Return the placement that the folders and the file name of a path give.

    Understands `[broker-N/]<topic>-<partition>/<segment>.log`, split at the last dash, and the Strimzi layout
    `<topic>/kafka-<broker>[-disk-<d>]-<topic>-<partition>/<segment>.log`. The folder nearest to the file wins; where
    none names a partition, the file's name may: `<topic>-<partition>_<segment>.log`, after its broker's or not. The
    replica is a broker's number, or None if no folder is called broker-N, kafka-N, node-N, replica-N or server-N, and
    the file's name does not begin with broker-N, node-N or replica-N. Nothing in a folder that is set aside belongs to
    a partition. `prefixes` of names in this folder (see `flat_prefixes`): of several, each is a replica's.
    """
    parts = PurePosixPath(path.replace("\\", "/")).parts
    folders, name = parts[:-1], parts[-1] if parts else ""
    segment = _SEGMENT.search(name + " ")
    base_offset = int(segment[1]) if segment and int(segment[1]) <= _MOST else None
    if _OF_NO_PARTITION.fullmatch(name) or any(map(_SET_ASIDE.fullmatch, folders)):
        return Placement(_replica(folders, name), None, None, base_offset)
    for depth in range(len(folders) - 1, -1, -1):
        strimzi = _STRIMZI.fullmatch(folders[depth])
        if strimzi and depth and folders[depth - 1] == strimzi[2]:
            return Placement(strimzi[1], strimzi[2], int(strimzi[3]), base_offset)
        plain = _TOPIC_PARTITION.fullmatch(folders[depth])
        if plain and not _BROKER.fullmatch(folders[depth]):
            return Placement(_replica(folders[:depth], name), plain[1], int(plain[2]), base_offset)
    before = max((one for one in prefixes if name.startswith(one)), key=len, default="")
    flat = _FLAT.fullmatch(name.removeprefix(before) + " ")
    if flat and not _MAY_BE_OF_BROKER.fullmatch(flat["topic"]):
        named = _BROKER.search(before)
        apart = before.strip("._ -") if len(prefixes) > 1 else ""
        replica = flat["broker"] or (named[1] if named else _replica(folders, name) or apart or None)
        return Placement(replica, flat["topic"], int(flat["partition"]), base_offset)
    return Placement(_replica(folders, name), None, None, base_offset)


def own_name(name: str) -> str:
    """Return what Kafka calls a checkpoint or partition.metadata that has its folder's name before its own."""
    flat = _OWN_NAME.fullmatch(name)
    return flat[1] if flat else name


def flat_prefixes(paths: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return by folder what stands before the partition in the names of its files, as those of Kafka's topics tell.

    Nobody's topic is called like these, so whatever stands before their names was put there: a host, a log dir.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        folder, _, name = path.rpartition("/")
        if told := _OF_INTERNAL.match(name):
            found[folder].add(told[1])
    return {folder: frozenset(before) for folder, before in found.items()}


def is_set_aside(path: str) -> bool:
    """Return whether a path is in a folder that is no replica of a partition."""
    return any(map(_SET_ASIDE.fullmatch, PurePosixPath(path).parts[:-1]))


def _replica(folders: tuple[str, ...], name: str) -> str | None:
    """Return the broker's number from the nearest folder that names one, otherwise from the file's name."""
    broker = next(filter(None, map(_BROKER.fullmatch, reversed(folders))), None) or _OF_BROKER.fullmatch(name)
    if broker is None and (own := own_name(name)) != name:
        broker = _BROKER.search(name.removesuffix(own))
    return broker[1] if broker else None
