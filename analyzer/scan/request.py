"""What the user asked to be scanned as one capture."""

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True)
class CaptureRequest:
    """What the user asked for: the paths of one capture, its name and moment (they win over capture.toml), how to read.

    `check_crc` computes checksums; `keys` are topics whose keys are read, besides those of capture.toml; `store_keys`
    keeps keys whole, not only a digest and a sample. With `segments`, only these of the data partitions' segments are
    read, by path as the user sees it; None reads all.
    """

    paths: tuple[str, ...]
    name: str | None = None
    captured_at: int | None = None
    check_crc: bool = True
    keys: tuple[str, ...] = ()
    store_keys: bool = False
    segments: frozenset[str] | None = None
