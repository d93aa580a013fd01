"""Makes the copy: reads a capture for its names, then writes each of its files again with others.

A file that no writer knows is left out and named; nothing is ever copied as it is but numbers.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from analyzer.anonymize.collecting import Collected, collect, scanned
from analyzer.anonymize.names import Names
from analyzer.anonymize.raw.number_files import written_snapshot, written_txnindex
from analyzer.anonymize.raw.segments import written_segment
from analyzer.anonymize.record_keys import RecordKeys
from analyzer.anonymize.replacing import Replacing
from analyzer.anonymize.secret import Secret
from analyzer.anonymize.text.console_text import written_console
from analyzer.anonymize.text.dump_text import DumpText
from analyzer.anonymize.text.paths import Paths
from analyzer.anonymize.text.small_files import (
    checkpoint_line,
    listing_line,
    manifest_text,
    metadata_line,
    settings_text,
)
from analyzer.anonymize.text.text_lines import TextLines
from analyzer.anonymize.text.tool_text import ToolText
from analyzer.opening import DAMAGE, open_text, raw_file
from analyzer.parse.segments.raw_bytes import RawBytes
from analyzer.scan.capture import Capture
from analyzer.scan.listing import FILE_NAME as LISTING
from analyzer.tables import MAY_MATTER, RAW_KINDS, UNREAD_KINDS

_LEFT_OUT = UNREAD_KINDS | {
    "archive": "its files are in the copy as a folder",
    "set_aside": "a broker set it aside, and nothing reads it",
}
"""Why files of these kinds are not in the copy."""
_NO_WRITER = "no writer knows what in it is a name"
_PACKED = (".gz", ".zst", ".zstd", ".xz", ".bz2")
_CUT = b"\x1f\x8b\x08" + bytes(7)
"""A gzip stream that ends after its header."""


@dataclasses.dataclass(slots=True)
class Copied:
    """What was done: where the files are, those left out with why, and names and keys that are too short to replace."""

    paths: dict[str, str] = dataclasses.field(default_factory=dict)
    """The path of each file in the copy, by its path in the original."""
    left_out: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    missing: bool = False
    """Whether something that may be evidence is left out."""
    kept: list[str] = dataclasses.field(default_factory=list)
    kept_keys: int = 0
    counts: tuple[int, ...] = ()
    names: dict[str, str] = dataclasses.field(default_factory=dict)


def anonymized(paths: list[str], target: Path, secret: Secret) -> Copied:
    """Write the copy of a capture into a new folder. Raises InputError for paths that hold no capture."""
    capture = scanned(paths)
    found = collect(capture)
    counts = found.id_counts()
    key_counts, crc32 = found.key_counts()
    to = Replacing(secret, Names(secret, counts, found.ids), RecordKeys(secret, key_counts, crc32=crc32))
    to.uuids |= found.uuids
    for name in sorted(found.names):
        to.names.of(name)
    copied = Copied(counts=tuple(counts))
    _Copy(capture, target, to, found).write(copied)
    copied.kept = sorted(to.names.kept)
    copied.kept_keys = to.keys.kept
    copied.names = {name: new for name, new in {**to.names.given, **to.ids}.items() if name != new}
    return copied


class _Copy:
    """One copy while it is written."""

    def __init__(self, capture: Capture, target: Path, to: Replacing, found: Collected) -> None:
        self._capture = capture
        self._target = target
        self._to = to
        self._lines = TextLines(to)
        self._lines.settle()
        self._paths = Paths(to, self._lines)
        self._found = found
        self._taken: set[str] = set()

    def write(self, copied: Copied) -> None:
        """Write every file, raw ones first: the checksums in dumps of the same batches are theirs."""
        self._target.mkdir(parents=True)
        for file in sorted(self._capture.files, key=lambda file: (file["file_kind"] not in RAW_KINDS, file["path"])):
            why = self._one(file, copied)
            if why is not None:
                copied.left_out.append((file["path"], why))
                if file["file_kind"] not in _LEFT_OUT or file["file_kind"] in MAY_MATTER:
                    copied.missing = True
                    self._stand_in(file)

    def _one(self, file: dict[str, Any], copied: Copied) -> str | None:
        """Write a file; return why it is left out, if it is."""
        if file["problem"] is not None or not file["absolute_path"]:
            return file["problem"] or "it is not here"
        kind = file["file_kind"]
        pieces = self._pieces(file, kind)
        if pieces is None:
            return _LEFT_OUT.get(kind, _NO_WRITER)
        new = self._new_path(file)
        path = self._target / new
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("xb") as out:
                out.writelines(pieces)
        except (*DAMAGE, ValueError) as fault:
            path.unlink(missing_ok=True)
            return f"it cannot be read: {fault}"
        copied.paths[file["path"]] = new
        return None

    def _stand_in(self, file: dict[str, Any]) -> None:
        """Write a file that nobody can read for one that may matter, so that the copy is judged no surer."""
        path = self._target / f"{self._new_path(file)}.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_CUT)

    def _new_path(self, file: dict[str, Any]) -> str:
        relative = file["path"].lstrip("/")
        if file["compression"]:
            relative = next((relative.removesuffix(end) for end in _PACKED if relative.endswith(end)), relative)
        new = self._paths.of(relative)
        while new in self._taken:
            new += "_"
        self._taken.add(new)
        return new

    def _pieces(self, file: dict[str, Any], kind: str) -> Iterable[bytes] | None:
        """Return the new content, None if no writer knows the kind."""
        if kind in RAW_KINDS:
            return self._raw(file, kind)
        if kind == "dump":
            return self._dump(file)
        if kind == "empty" or not file["bytes"]:
            return [b""]
        if kind == "manifest":
            return self._manifest(file)
        if kind == "settings":
            return [settings_text(Path(file["absolute_path"]).read_text("utf-8", "replace")).encode()]
        whole: dict[str, Callable[[dict[str, Any]], Iterator[bytes]]] = {
            "checkpoint": lambda one: self._each_line(one, lambda line: checkpoint_line(line, self._to)),
            "metadata": lambda one: self._each_line(one, lambda line: metadata_line(line, self._to)),
            "console": lambda one: written_console(_opened(one), self._to, self._lines),
            "admin": self._tool_text,
            "broker_log": self._tool_text,
            "stderr": self._tool_text,
        }
        return whole[kind](file) if kind in whole else None

    def _raw(self, file: dict[str, Any], kind: str) -> Iterator[bytes]:
        with raw_file(file["absolute_path"], file["compression"]) as path, RawBytes(path) as raw:
            if kind == "snapshot":
                yield written_snapshot(bytes(raw.read(0, raw.size)), self._to)
            elif kind == "txnindex":
                yield written_txnindex(bytes(raw.read(0, raw.size)), self._to)
            else:
                yield from written_segment(raw, kind, self._to)

    def _dump(self, file: dict[str, Any]) -> Iterator[bytes]:
        with _opened(file) as stream, _opened(file) as again:
            yield from DumpText(self._to, self._lines, self._paths).written(stream, again)

    def _tool_text(self, file: dict[str, Any]) -> Iterator[bytes]:
        name = Path(file["path"]).name
        with _opened(file) as stream:
            yield from ToolText(self._to, self._lines, self._paths, name, file["file_kind"]).written(stream)

    def _each_line(self, file: dict[str, Any], line: Callable[[str], str]) -> Iterator[bytes]:
        with _opened(file) as stream:
            text = stream.read().decode("utf-8", "replace")
        yield "\n".join(map(line, text.split("\n"))).encode()

    def _manifest(self, file: dict[str, Any]) -> list[bytes]:
        text = Path(file["absolute_path"]).read_text("utf-8-sig", "replace")
        if Path(file["path"]).name != LISTING:
            return [manifest_text(text, self._to, self._paths).encode()]
        lines = [listing_line(line, self._paths) for line in text.splitlines()]
        return ["".join(f"{line}\n" for line in lines if line is not None).encode()]


def _opened(file: dict[str, Any]) -> Any:  # noqa: ANN401 - a stream that is also a context
    return open_text(file["absolute_path"], file["compression"], file["encoding"])
