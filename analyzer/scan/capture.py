"""Scans the paths of one capture: digest, kind and place of each file, and what capture.toml adds."""

import dataclasses
import datetime
import hashlib
import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import zstandard

from analyzer.errors import InputError
from analyzer.kafka.placement import Placement, place_of
from analyzer.kafka.topics import METADATA_TOPIC, OFFSETS_TOPIC, STATE_TOPIC
from analyzer.scan.archives import Unpacked
from analyzer.scan.manifest import Manifest, read_manifest
from analyzer.scan.recognise import recognise
from analyzer.scan.walking import Found, found_files
from analyzer.tables import CAPTURE_FILES, FACTS_VERSION, NO_KEYS, RAW_KINDS, TEXT_KINDS, KeyReading, Source

GENERIC_FOLDERS = frozenset({"dumps", "dump", "logdir", "logs", "data", "files", "capture"})
"""Folder names too common to name a capture without the folder above."""

READ_KINDS = TEXT_KINDS | RAW_KINDS
CORROBORATING = frozenset({"broker_log"})
"""Kinds that cannot be judged alone: a capture needs other files beside them."""
INTERNAL_SEGMENTS = {
    STATE_TOPIC: "transaction_segment",
    OFFSETS_TOPIC: "offsets_segment",
    METADATA_TOPIC: "metadata_segment",
}
"""How the segments of Kafka's own topics are read, by topic."""
NAMED_KINDS = frozenset({"checkpoint", "metadata", "admin", "snapshot"})
"""Kinds whose rows depend on the file name, which is therefore part of the `file_id`."""


@dataclasses.dataclass(frozen=True, slots=True)
class CaptureRequest:
    """What the user asked for: the paths of one capture, its name and moment (they win over capture.toml), how to read.

    `check_crc` computes checksums; `keys` are topics whose keys are read, besides those of capture.toml; `store_keys`
    keeps keys whole, not only a digest and a sample.
    """

    paths: tuple[str, ...]
    name: str | None = None
    captured_at: int | None = None
    check_crc: bool = True
    keys: tuple[str, ...] = ()
    store_keys: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Capture:
    """A scanned capture: its row, the rows of its files, and what is to be read."""

    name: str
    row: dict[str, Any]
    files: tuple[dict[str, Any], ...]
    manifest: Manifest
    unpacked: tuple[Unpacked, ...] = ()
    """The scratch folders of its archives, which exist as long as the capture is referenced."""
    check_crc: bool = True
    store_keys: bool = False

    def renamed(self, name: str) -> "Capture":
        """Return the same capture under another name."""
        files = tuple(file | {"capture": name} for file in self.files)
        return dataclasses.replace(self, name=name, row=self.row | {"capture": name}, files=files)

    def sources(self) -> tuple[Source, ...]:
        """Return each content to read, once however many paths hold it."""
        names = [field.name for field in dataclasses.fields(Source) if field.name in CAPTURE_FILES.names]
        unique = {
            file["file_id"]: Source(
                **{name: file[name] for name in names},
                check_crc=self.check_crc,
                keys=_key_reading(file, self.manifest.keys, whole=self.store_keys),
            )
            for file in self.files
            if file["problem"] is None and file["file_kind"] in READ_KINDS
        }
        return tuple(unique.values())


def scan_capture(request: CaptureRequest) -> Capture:
    """Return the capture that the request's paths hold.

    Raises InputError for a missing path, for paths without any Kafka file, and if no file can be read; ConfigError for
    a wrong capture.toml. A single unreadable file is a row with its `problem`.
    """
    found = [one for root in request.paths for one in found_files(root, alone=len(request.paths) == 1)]
    manifest = _first_manifest([*request.paths, *(str(one.unpacked.folder) for one in found if one.unpacked)])
    manifest = dataclasses.replace(manifest, keys=tuple(sorted({*manifest.keys, *request.keys})))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        files = list(pool.map(lambda one: _file_row(one, manifest, request), found))
    _refuse_nothing(request.paths, files)
    captured_at = request.captured_at or manifest.captured_at
    source = "flag" if request.captured_at else "capture.toml" if manifest.captured_at else None
    name = request.name or default_name(request.paths[0], captured_at)
    row = {
        "capture": name,
        "root": "\n".join(request.paths),
        "captured_at": captured_at,
        "captured_at_source": source,
        "kafka_version": manifest.kafka_version,
        "manifest": json.dumps(dataclasses.asdict(manifest), sort_keys=True),
    }
    unpacked = tuple(dict.fromkeys(one.unpacked for one in found if one.unpacked))
    return Capture(
        name,
        row,
        tuple({"capture": name, **file} for file in files),
        manifest,
        unpacked,
        request.check_crc,
        request.store_keys,
    )


def default_name(path: str, captured_at: int | None) -> str:
    """Return a capture's name: its folder's name and, if known, its moment."""
    folder = Path(path).resolve()
    name = f"{folder.parent.name}/{folder.name}" if folder.name in GENERIC_FOLDERS else folder.name
    if captured_at is None:
        return name
    moment = datetime.datetime.fromtimestamp(captured_at / 1000, datetime.UTC)
    return f"{name}@{moment:%Y-%m-%dT%H:%M:%S}.{captured_at % 1000:03d}Z"


def _first_manifest(paths: Sequence[str]) -> Manifest:
    folders = [Path(path) if Path(path).is_dir() else Path(path).parent for path in paths]
    manifests = [read_manifest(folder) for folder in folders]
    return next((manifest for manifest in manifests if manifest != Manifest()), Manifest())


def _file_row(found: Found, manifest: Manifest, request: CaptureRequest) -> dict[str, Any]:
    """Return the `capture_files` row of a file, without its capture; a file with a problem is not opened."""
    path, relative = found.path, found.relative
    row: dict[str, Any] = {"path": relative, "absolute_path": str(path.absolute()), "problem": found.problem}
    row |= {"file_id": None, "file_kind": "other", "bytes": None, "compression": "", "encoding": "utf-8"}
    row |= _place_columns(place_of(relative), relative, manifest)
    if found.problem is not None:
        return row
    try:
        size = path.stat().st_size
        how = recognise(path, size)
        kind = how.kind
        if kind == "segment":
            kind = INTERNAL_SEGMENTS.get(row["given_topic"] or row["folder_topic"], kind)
        row |= {"bytes": size, "file_kind": kind, "compression": how.compression, "encoding": how.encoding}
        how_read = kind if request.check_crc or kind not in RAW_KINDS else f"{kind} without checksums"
        reading = _key_reading(row, manifest.keys, whole=request.store_keys)
        row["file_id"] = _file_id(path, how_read, "" if reading == NO_KEYS else repr(reading))
    except (EOFError, zstandard.ZstdError) as fault:
        row["problem"] = f"damaged from its first bytes on: {fault}"
    except OSError as fault:
        row["problem"] = f"{fault.strerror or fault}".lower()
    return row


def _key_reading(file: dict[str, Any], topics: tuple[str, ...], *, whole: bool) -> KeyReading:
    """Return which keys of a file are read: those of raw segments and dumps of the named topics.

    A dump may hold topics that its folder does not name, so every dump is read again when a new topic is named.
    """
    given, folder = file["given_topic"], file["folder_topic"]
    reading = KeyReading(topics, given, folder, whole)
    keyed = bool(topics) and (file["file_kind"] == "dump" or (file["file_kind"] == "segment" and reading.wanted()))
    return reading if keyed else NO_KEYS


def _place_columns(place: Placement, relative: str, manifest: Manifest) -> dict[str, Any]:
    rule = next((rule for rule in manifest.sources if _under(relative, rule.path)), None)
    return {
        "folder_replica": place.replica or _label(relative, place),
        "folder_topic": place.topic,
        "folder_partition": place.partition,
        "folder_segment": place.segment,
        "given_replica": rule.replica if rule else None,
        "given_topic": rule.topic if rule else None,
        "given_partition": rule.partition if rule else None,
    }


def _under(relative: str, rule_path: str) -> bool:
    return relative == rule_path or relative.startswith(rule_path.rstrip("/") + "/")


def _label(relative: str, place: Placement) -> str | None:
    """Return the folders above the partition's own as a label of the replica, for when no folder names a broker."""
    folders = relative.split("/")[:-1]
    own = f"{place.topic}-{place.partition}"
    above = folders[: folders.index(own)] if own in folders else []
    return "/".join(above) or None


def _file_id(path: Path, kind: str, keys: str) -> str:
    with path.open("rb") as stream:
        content = hashlib.file_digest(stream, "sha256").hexdigest()
    name = path.name if kind.partition(" ")[0] in NAMED_KINDS else ""
    return hashlib.sha256(f"{FACTS_VERSION} {kind} {name} {keys}{content}".encode()).hexdigest()[:20]


def _refuse_nothing(paths: tuple[str, ...], files: list[dict[str, Any]]) -> None:
    """Raise InputError if no file of the capture can be used."""
    where = ", ".join(paths)
    if not files:
        raise InputError(
            f"{where} holds no files.",
            wanted="output of kafka-dump-log.sh, or folders named <topic>-<partition> with .log files.",
        )
    broken = [file for file in files if file["problem"]]
    if len(broken) == len(files):
        first = broken[0]
        raise InputError(
            f"cannot read {first['path']}: {first['problem']}. {len(broken)} of {len(files)} files.",
            do="copy it as its owner, or leave it out with a run on the other folders.",
        )
    if not any(file["file_kind"] in READ_KINDS - CORROBORATING for file in files):
        raise InputError(
            f"nothing under {where} looks like a Kafka log or a dump of one: {len(files)} files read "
            f"(first: {files[0]['path']}).",
            wanted="output of kafka-dump-log.sh, or folders named <topic>-<partition> with .log files.",
            do="txn-forensics run FOLDER, with the folder that the dumps were written to.",
        )
