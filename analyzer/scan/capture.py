"""Scans the paths of one capture: digest, kind and place of each file, and what capture.toml adds."""

import dataclasses
import json
import os
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from analyzer.errors import InputError
from analyzer.kafka.placement import flat_prefixes
from analyzer.scan.archives import Unpacked
from analyzer.scan.brokers import brokers_of, clusters_of
from analyzer.scan.files import Around, file_row, key_reading, left_row
from analyzer.scan.given_settings import given_settings, timeouts_of
from analyzer.scan.listing import read_listings
from analyzer.scan.manifest import Manifest, read_manifest
from analyzer.scan.request import CaptureRequest
from analyzer.scan.swaps import replaced
from analyzer.scan.walking import Found, found_files
from analyzer.tables import CAPTURE_FILES, RAW_KINDS, TEXT_KINDS, Source
from analyzer.tables.moments import utc

GENERIC_FOLDERS = frozenset({"dumps", "dump", "logdir", "logs", "data", "files", "capture"})
"""Folder names too common to name a capture without the folder above."""

READ_KINDS = TEXT_KINDS | RAW_KINDS
"""Kinds that cannot be judged alone: a capture needs other files beside them."""


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
                keys=key_reading(file, self.manifest.keys, whole=self.store_keys),
            )
            for file in self.files
            if file["file_id"] is not None and file["file_kind"] in READ_KINDS
        }
        return tuple(unique.values())


def scan_capture(request: CaptureRequest) -> Capture:
    """Return the capture that the request's paths hold.

    Raises InputError for a missing path, for paths without any Kafka file, if no file can be read, and for log dirs of
    several clusters; ConfigError for a wrong capture.toml. A single unreadable file is a row with its `problem`.
    """
    found = [one for root in request.paths for one in found_files(root, alone=len(request.paths) == 1)]
    _refuse_several(clusters_of(found))
    manifest = _manifest([*request.paths, *(str(one.unpacked.folder) for one in found if one.unpacked)])
    manifest = dataclasses.replace(manifest, keys=tuple(sorted({*manifest.keys, *request.keys})))
    manifest = _with_settings(manifest, found)
    files = _file_rows(found, manifest, request)
    _refuse_nothing(request.paths, [file for file in files if file["absolute_path"]])
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
    return name + _at(captured_at)


def other_name(path: str, captured_at: int | None, taken: Collection[str]) -> str:
    """Return a name that is not taken: more of the folders above; the same folder once more is numbered."""
    parts = Path(path).resolve().parts
    longer = ["/".join(parts[-levels:]) for levels in range(3, len(parts))]
    numbered = [f"{default_name(path, None)}#{number}" for number in range(2, len(taken) + 3)]
    moment = _at(captured_at)
    return next(name + moment for name in longer + numbered if name + moment not in taken)


def _at(moment: int | None) -> str:
    return "" if moment is None else f"@{utc(moment)}"


def _manifest(paths: Sequence[str]) -> Manifest:
    """Return the first of the manifests in these folders, with the earliest moment of all.

    No file is then older than the capture's moment, and no transaction seems to be open for longer than it was.
    """
    folders = dict.fromkeys(Path(path) if Path(path).is_dir() else Path(path).parent for path in paths)
    manifests = [manifest for folder in folders if (manifest := read_manifest(folder)) != Manifest()]
    if not manifests:
        return Manifest()
    moments = [manifest.captured_at for manifest in manifests if manifest.captured_at is not None]
    return dataclasses.replace(manifests[0], captured_at=min(moments, default=None))


def _with_settings(manifest: Manifest, found: Sequence[Found]) -> Manifest:
    """Add what configurations of brokers say; timeouts that capture.toml gives hold."""
    settings = given_settings(found) | manifest.settings
    return dataclasses.replace(manifest, settings=settings, timeouts=timeouts_of(settings) | manifest.timeouts)


def _file_rows(found: Sequence[Found], manifest: Manifest, request: CaptureRequest) -> list[dict[str, Any]]:
    """Return the `capture_files` rows, without their capture, of these files and of the segments left on brokers.

    A moment that the user gives is that of every file.
    """
    listing = read_listings(found)
    around = Around(brokers_of(found), replaced(found), flat_prefixes(one.relative for one in found))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda one: file_row(one, manifest, request, around), found))
    if request.captured_at is None:
        for row in rows:
            row.update(dataclasses.asdict(moments) if (moments := listing.moments.get(row["path"])) else {})
    here = {row["path"] for row in rows}
    return rows + [left_row(path, size, manifest, around) for path, size in listing.left.items() if path not in here]


_FOLDER = "txn-forensics run FOLDER, with a folder of log.dirs (see server.properties) or that of the dumps"


def _refuse_nothing(paths: tuple[str, ...], files: list[dict[str, Any]]) -> None:
    """Raise InputError if no file of the capture can be used."""
    where = ", ".join(paths)
    if not files:
        raise InputError(
            f"{where} holds no files.",
            wanted="output of kafka-dump-log.sh, or folders named <topic>-<partition> with .log files.",
            do=_FOLDER,
        )
    broken = [file for file in files if file["problem"]]
    if len(broken) == len(files):
        first = broken[0]
        raise InputError(
            f"cannot read {first['path']}: {first['problem']}. {len(broken)} of {_counted(files)}.",
            do="copy it as its owner, or leave it out with a run on the other folders.",
        )
    if not any(file["file_kind"] in READ_KINDS for file in files):
        raise InputError(
            f"nothing under {where} looks like a Kafka log or a dump of one: {_counted(files)} read "
            f"(first: {files[0]['path']}).",
            wanted="folders named <topic>-<partition> with .log files, output of kafka-dump-log.sh, logs of brokers or "
            "clients, or answers of kafka-transactions.sh, kafka-consumer-groups.sh, rpk or kcl.",
            do=f"{_FOLDER}; txn-forensics run - reads a paste.",
        )


def _refuse_several(clusters: Mapping[str, str]) -> None:
    """Raise InputError if log dirs of several clusters are here.

    What has the same name in two clusters is not the same: a topic, a transactional id, a producer id, a broker. Taken
    together, the marker of one cluster would end the transaction of the other.
    """
    if len(clusters) > 1:
        named = ", ".join(f"{cluster} ({folder})" for cluster, folder in sorted(clusters.items()))
        raise InputError(
            f"these are files of {len(clusters)} clusters, by their meta.properties: {named}.",
            wanted="the files of one cluster.",
            do="txn-forensics run --each FOLDER1 FOLDER2, with a folder for each cluster.",
        )


def _counted(files: list[dict[str, Any]]) -> str:
    return f"{len(files)} {'file' if len(files) == 1 else 'files'}"
