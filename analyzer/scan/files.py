"""Describes one file of a capture: its digest, how it is read, where its folders place it."""

import dataclasses
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import xxhash
import zstandard

from analyzer.kafka.placement import Placement, is_set_aside, place_of
from analyzer.kafka.topics import METADATA_TOPIC, OFFSETS_TOPIC, STATE_TOPIC
from analyzer.scan.manifest import Manifest
from analyzer.scan.recognise import SEGMENT_NAME, recognise
from analyzer.scan.request import CaptureRequest
from analyzer.scan.walking import Found
from analyzer.tables import FACTS_VERSION, NO_KEYS, RAW_KINDS, KeyReading

INTERNAL_SEGMENTS = {
    STATE_TOPIC: "transaction_segment",
    OFFSETS_TOPIC: "offsets_segment",
    METADATA_TOPIC: "metadata_segment",
}
"""How the segments of Kafka's own topics are read, by topic."""
ALWAYS_READ = frozenset({STATE_TOPIC, METADATA_TOPIC})
"""Topics whose segments are read even where only the segments that can matter are."""
OF_NO_PARTITION = frozenset({"admin", "archive", "broker_log"})
"""Kinds that belong to no partition, even if a folder above is called like one."""
NOWHERE = {"folder_topic": None, "folder_partition": None, "folder_segment": None}
NAMED_KINDS = frozenset({"checkpoint", "metadata", "admin", "snapshot"})
"""Kinds whose rows depend on the file name, which is therefore part of the `file_id`."""


@dataclasses.dataclass(frozen=True, slots=True)
class Around:
    """What the other files of a capture say of one, by the paths that the user sees.

    brokers: the broker of each log dir. gone: what a broker deletes at its start. prefixes: see `flat_prefixes`.
    """

    brokers: Mapping[str, str]
    gone: frozenset[str]
    prefixes: Mapping[str, frozenset[str]]

    def place(self, relative: str) -> Placement:
        """Return where a file belongs."""
        folder = relative.rpartition("/")[0]
        placed = place_of(relative, self.prefixes.get(folder, ()))
        return dataclasses.replace(placed, replica=placed.replica or self._broker(relative))

    def _broker(self, relative: str) -> str | None:
        """Return the broker of the log dir that a path is in."""
        folders = relative.split("/")[:-1]
        above = ("/".join(folders[:depth]) for depth in range(len(folders), -1, -1))
        return next((self.brokers[folder] for folder in above if folder in self.brokers), None)


def file_row(found: Found, manifest: Manifest, request: CaptureRequest, around: Around) -> dict[str, Any]:
    """Return the `capture_files` row of a file, without its capture; a file with a problem is not opened.

    A segment that the request leaves out is not opened either, nor is what a broker set aside, or deletes at its start:
    that has its size, and no `file_id`.
    """
    path, relative = found.path, found.relative
    row = _blank(relative, str(path.absolute()), manifest, around) | {"problem": found.problem}
    if found.kind == "folder":
        row |= _place_columns(f"{relative}/-", manifest, around)
    row["file_kind"] = found.kind or row["file_kind"]
    if found.problem is not None or found.kind == "folder":
        return row
    try:
        size = path.stat().st_size
        if is_set_aside(relative):
            return row | {"bytes": size, "file_kind": "set_aside"}
        if relative in around.gone:
            return row | {"bytes": size, "file_kind": "replaced"}
        if _left_out(relative, row, request):
            return row | {"bytes": size, "file_kind": _segment_kind(row)}
        how = recognise(path, size)
        kind = _segment_kind(row) if how.kind == "segment" else how.kind
        row |= {"bytes": size, "file_kind": kind, "compression": how.compression, "encoding": how.encoding}
        row |= NOWHERE if kind in OF_NO_PARTITION else {}
        how_read = kind if request.check_crc or kind not in RAW_KINDS else f"{kind} without checksums"
        reading = key_reading(row, manifest.keys, whole=request.store_keys)
        row["file_id"] = _file_id(path, how_read, "" if reading == NO_KEYS else repr(reading))
    except (EOFError, zstandard.ZstdError) as fault:
        row["problem"] = f"damaged from its first bytes on: {fault}"
    except OSError as fault:
        row["problem"] = f"{fault.strerror or fault}".lower()
    return row


def left_row(relative: str, size: int, manifest: Manifest, around: Around) -> dict[str, Any]:
    """Return the row of a segment that is on a broker and not here: it has its size, and no `file_id`."""
    row = _blank(relative, "", manifest, around)
    return row | {"bytes": size, "file_kind": _segment_kind(row)}


def key_reading(file: dict[str, Any], topics: tuple[str, ...], *, whole: bool) -> KeyReading:
    """Return which keys of a file are read: those of raw segments and dumps of the named topics.

    A dump may hold topics that its folder does not name, so every dump is read again when a new topic is named.
    """
    given, folder = file["given_topic"], file["folder_topic"]
    reading = KeyReading(topics, given, folder, whole)
    keyed = bool(topics) and (file["file_kind"] == "dump" or (file["file_kind"] == "segment" and reading.wanted()))
    return reading if keyed else NO_KEYS


def _blank(relative: str, absolute: str, manifest: Manifest, around: Around) -> dict[str, Any]:
    row: dict[str, Any] = {"path": relative, "absolute_path": absolute, "problem": None}
    row |= {"file_id": None, "file_kind": "other", "bytes": None, "compression": "", "encoding": "utf-8"}
    row |= {"taken_at": None, "copied_at": None}
    return row | _place_columns(relative, manifest, around)


def _segment_kind(row: dict[str, Any]) -> str:
    return INTERNAL_SEGMENTS.get(row["given_topic"] or row["folder_topic"], "segment")


def _left_out(relative: str, row: dict[str, Any], request: CaptureRequest) -> bool:
    """Return whether only the segments that can matter are read, and this is none of them."""
    topic = row["given_topic"] or row["folder_topic"]
    a_segment = topic is not None and SEGMENT_NAME.fullmatch(relative.rpartition("/")[2]) is not None
    return request.segments is not None and a_segment and topic not in ALWAYS_READ and relative not in request.segments


def _place_columns(relative: str, manifest: Manifest, around: Around) -> dict[str, Any]:
    place = around.place(relative)
    rule = next((rule for rule in manifest.sources if _under(relative, rule.path)), None)
    return {
        "folder_replica": place.replica,
        "folder_topic": place.topic,
        "folder_partition": place.partition,
        "folder_segment": place.segment,
        "given_replica": rule.replica if rule else None,
        "given_topic": rule.topic if rule else None,
        "given_partition": rule.partition if rule else None,
    }


def _under(relative: str, rule_path: str) -> bool:
    return relative == rule_path or relative.startswith(rule_path.rstrip("/") + "/")


def _file_id(path: Path, kind: str, keys: str) -> str:
    with path.open("rb") as stream:  # files are not forged to be taken for one another: speed counts
        content = hashlib.file_digest(stream, xxhash.xxh3_128).hexdigest()
    name = path.name if kind.partition(" ")[0] in NAMED_KINDS else ""
    return hashlib.sha256(f"{FACTS_VERSION} {kind} {name} {keys}{content}".encode()).hexdigest()[:20]
