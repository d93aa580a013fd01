"""From a seed to a random part of a scenario's files, or to the same files with damaged bytes."""

import dataclasses
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

FORMS = ("dumps", "logdir")
Keep = Callable[[Path], bool]


@dataclasses.dataclass(frozen=True, slots=True)
class Part:
    """A capture made of a scenario's: its seed, the scenario and form, and in words what was done."""

    seed: int
    scenario: str
    form: str
    done: str

    @property
    def name(self) -> str:
        """What tells it from the others."""
        return f"{self.seed} {self.scenario} {self.form}"

    @property
    def whole(self) -> str:
        """The name of the capture that it is a part of."""
        return f"{self.scenario} {self.form}"


def random_part(dev: Path, target: Path, seed: int) -> Part:
    """Copy some files of a random scenario into this folder."""
    rng = random.Random(seed)
    scenario, form, files = _chosen(rng, dev)
    done, keep = rng.choice(WAYS)(rng, files)
    kept = [path for path in files if keep(path)] or [rng.choice(files)]
    _copy(dev / scenario / form, kept, target)
    return Part(seed, scenario, form, f"{done}: {len(kept)} of {len(files)} files")


def damaged(dev: Path, target: Path, seed: int) -> Part:
    """Copy all files of a random scenario into this folder, and change bytes of up to three of them."""
    rng = random.Random(seed)
    scenario, form, files = _chosen(rng, dev)
    _copy(dev / scenario / form, files, target)
    done = []
    for path in rng.sample(files, min(len(files), rng.randint(1, 3))):
        change = rng.choice(CHANGES)
        copy = target / path.relative_to(dev / scenario / form)
        content = copy.read_bytes()
        if content:
            copy.write_bytes(change(rng, content))
            done.append(f"{change.__name__} {copy.relative_to(target)}")
    return Part(seed, scenario, form, ", ".join(done))


def _chosen(rng: random.Random, dev: Path) -> tuple[str, str, list[Path]]:
    folders = [path.parent for path in sorted(dev.glob("*/truth.json")) if (path.parent / "logdir").is_dir()]
    folder = rng.choice(folders)
    form = rng.choice([form for form in FORMS if (folder / form).is_dir()])
    files = [path for path in sorted((folder / form).rglob("*")) if path.is_file() and path.name != "capture.toml"]
    return folder.name, form, files


def _copy(source: Path, files: list[Path], target: Path) -> None:
    for path in [*files, source / "capture.toml"]:
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def some_files(rng: random.Random, files: list[Path]) -> tuple[str, Keep]:
    """Keep each file with one chance."""
    chance = rng.choice((0.2, 0.5, 0.8, 0.95))
    kept = {path for path in files if rng.random() < chance}
    return f"each with a chance of {chance}", lambda path: path in kept


def some_partitions(rng: random.Random, files: list[Path]) -> tuple[str, Keep]:
    """Keep some partitions of all brokers."""
    names = sorted({path.parent.name for path in files})
    kept = set(rng.sample(names, rng.randint(1, len(names))))
    return "some partitions", lambda path: path.parent.name in kept


def some_data_partitions(rng: random.Random, files: list[Path]) -> tuple[str, Keep]:
    """Keep the coordinator's partitions, and one or two others."""
    names = sorted({path.parent.name for path in files if not _is_state(path)})
    kept = set(rng.sample(names, min(len(names), rng.randint(1, 2))))
    return "the coordinator and one or two partitions", lambda path: _is_state(path) or path.parent.name in kept


def some_replicas(rng: random.Random, files: list[Path]) -> tuple[str, Keep]:
    """Keep some copies of partitions."""
    kept = {folder for folder in {path.parent for path in files} if rng.random() < 0.6}
    return "some replicas", lambda path: path.parent in kept


def some_kinds(rng: random.Random, files: list[Path]) -> tuple[str, Keep]:
    """Take one or two kinds of files away: logs, snapshots, indexes, checkpoints."""
    kinds = sorted({_kind(path) for path in files})
    gone = set(rng.sample(kinds, min(len(kinds) - 1, rng.randint(1, 2))))
    return f"without {', '.join(sorted(gone))}", lambda path: _kind(path) not in gone


WAYS = (some_files, some_partitions, some_data_partitions, some_replicas, some_kinds)


def _is_state(path: Path) -> bool:
    return path.parent.name.startswith("__transaction_state-")


def _kind(path: Path) -> str:
    """What a file is, by the first ending of its name."""
    ending = re.search(r"\.(log|snapshot|txnindex|timeindex|index)\b", path.name)
    return f"{'state' if _is_state(path) else 'data'} {ending[1]}" if ending else path.name


def flipped(rng: random.Random, content: bytes) -> bytes:
    """One to eight bits turned over."""
    out = bytearray(content)
    for _ in range(rng.randint(1, 8)):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def cut(rng: random.Random, content: bytes) -> bytes:
    """The end is missing."""
    return content[: rng.randrange(len(content))]


def inserted(rng: random.Random, content: bytes) -> bytes:
    """Random bytes in between."""
    at = rng.randrange(len(content))
    return content[:at] + rng.randbytes(rng.randint(1, 200)) + content[at:]


def deleted(rng: random.Random, content: bytes) -> bytes:
    """Some bytes are missing."""
    first, last = _range(rng, content)
    return content[:first] + content[last:]


def zeroed(rng: random.Random, content: bytes) -> bytes:
    """Some bytes are zero."""
    first, last = _range(rng, content)
    return content[:first] + bytes(last - first) + content[last:]


def doubled(rng: random.Random, content: bytes) -> bytes:
    """Some bytes are there twice."""
    first, last = _range(rng, content)
    return content[:last] + content[first:]


CHANGES = (flipped, cut, inserted, deleted, zeroed, doubled)


def _range(rng: random.Random, content: bytes) -> tuple[int, int]:
    first = rng.randrange(len(content))
    return first, min(len(content), first + rng.choice((1, 10, 100, 1_000)))
