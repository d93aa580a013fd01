"""From the paths of one capture to its files: digest, kind and place of each, and what capture.toml adds."""

import dataclasses
import datetime
import hashlib
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import zstandard

from analyzer.errors import InputError
from analyzer.kafka.placement import Placement, place_of
from analyzer.scan.manifest import Manifest, read_manifest
from analyzer.scan.recognise import recognise
from analyzer.tables import FACTS_VERSION, Source

GENERIC_FOLDERS = frozenset({"dumps", "dump", "logdir", "logs", "data", "files", "capture"})
"""Folder names that tell captures apart only together with the folder above."""

READ_KINDS = frozenset({"dump", "console", "checkpoint", "metadata", "admin", "broker_log", "stderr"})
"""Kinds of files that a reader exists for."""


@dataclasses.dataclass(frozen=True, slots=True)
class CaptureRequest:
    """What the user asked for: paths of one capture, and a name and moment that override its manifest."""

    paths: tuple[str, ...]
    name: str | None = None
    captured_at: int | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Capture:
    """A scanned capture: its row, its files' rows, and what a reader has to read."""

    name: str
    row: dict[str, Any]
    files: tuple[dict[str, Any], ...]
    manifest: Manifest

    def renamed(self, name: str) -> "Capture":
        """Return the same capture under another name."""
        files = tuple(file | {"capture": name} for file in self.files)
        return Capture(name, self.row | {"capture": name}, files, self.manifest)

    def sources(self) -> tuple[Source, ...]:
        """Return each content to read once, however many paths hold it."""
        names = [field.name for field in dataclasses.fields(Source)]
        unique = {
            file["file_id"]: Source(**{name: file[name] for name in names})
            for file in self.files
            if file["problem"] is None and file["file_kind"] in READ_KINDS
        }
        return tuple(unique.values())


def scan_capture(request: CaptureRequest) -> Capture:
    """Return the capture that the request's paths hold.

    Raises InputError for a missing path, for paths without any file of Kafka's, and where no file can be read;
    ConfigError for a wrong capture.toml. A single unreadable file is a row with its `problem`.
    """
    manifest = _first_manifest(request.paths)
    found = [
        (path, relative) for root in request.paths for path, relative in _walk(root, alone=len(request.paths) == 1)
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        files = list(pool.map(lambda pair: _file_row(pair[0], pair[1], manifest), found))
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
    return Capture(name, row, tuple({"capture": name, **file} for file in files), manifest)


def default_name(path: str, captured_at: int | None) -> str:
    """Return a capture's name: its folder's name and, where known, its moment."""
    folder = Path(path).resolve()
    name = f"{folder.parent.name}/{folder.name}" if folder.name in GENERIC_FOLDERS else folder.name
    if captured_at is None:
        return name
    moment = datetime.datetime.fromtimestamp(captured_at / 1000, datetime.UTC)
    return f"{name}@{moment:%Y-%m-%dT%H:%M:%S}.{captured_at % 1000:03d}Z"


def _first_manifest(paths: tuple[str, ...]) -> Manifest:
    folders = [Path(path) if Path(path).is_dir() else Path(path).parent for path in paths]
    manifests = [read_manifest(folder) for folder in folders]
    return next((manifest for manifest in manifests if manifest != Manifest()), Manifest())


def _walk(root: str, *, alone: bool) -> Iterator[tuple[Path, str]]:
    """Yield each file under the root in a fixed order, with its path relative to what the user gave."""
    base = Path(root)
    if not base.exists():
        raise InputError(f"{root} does not exist.", do="check the path; it may be relative to another folder")
    if base.is_file():
        yield base, base.name if alone else root
        return
    for folder, folders, names in os.walk(base):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            relative = path.relative_to(base).as_posix()
            yield path, relative if alone else f"{root.rstrip('/')}/{relative}"


def _file_row(path: Path, relative: str, manifest: Manifest) -> dict[str, Any]:
    """Return the `capture_files` row of a file, without its capture."""
    row: dict[str, Any] = {"path": relative, "absolute_path": str(path.absolute()), "problem": None}
    row |= {"file_id": None, "file_kind": "other", "bytes": None, "compression": "", "encoding": "utf-8"}
    row |= _place_columns(place_of(relative), relative, manifest)
    try:
        size = path.stat().st_size
        how = recognise(path, size)
        row |= {"bytes": size, "file_kind": how.kind, "compression": how.compression, "encoding": how.encoding}
        row["file_id"] = _file_id(path, how.kind)
    except (EOFError, zstandard.ZstdError) as fault:
        row["problem"] = f"damaged from its first bytes on: {fault}"
    except OSError as fault:
        row["problem"] = f"{fault.strerror or fault}".lower()
    return row


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
    """Return the folders above the partition's own as a label of the replica, where no folder names a broker."""
    folders = relative.split("/")[:-1]
    own = f"{place.topic}-{place.partition}"
    above = folders[: folders.index(own)] if own in folders else []
    return "/".join(above) or None


def _file_id(path: Path, kind: str) -> str:
    with path.open("rb") as stream:
        content = hashlib.file_digest(stream, "sha256").hexdigest()
    name = path.name if kind in {"checkpoint", "metadata", "admin"} else ""
    return hashlib.sha256(f"{FACTS_VERSION} {kind} {name} {content}".encode()).hexdigest()[:20]


def _refuse_nothing(paths: tuple[str, ...], files: list[dict[str, Any]]) -> None:
    """Raise InputError where no file of the capture can be used at all."""
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
    if not any(file["file_kind"] in READ_KINDS | {"segment"} for file in files):
        raise InputError(
            f"nothing under {where} looks like a Kafka log or a dump of one: {len(files)} files read "
            f"(first: {files[0]['path']}).",
            wanted="output of kafka-dump-log.sh, or folders named <topic>-<partition> with .log files.",
            do="txn-forensics run FOLDER, with the folder that the dumps were written to.",
        )
