"""From a seed to an excerpt of a scenario's dumps: runs of lines cut out, as people post them."""

import random
import re
import shutil
from pathlib import Path

from parts import Part

MARKS = (b"...\n", b"[...]\n", b"<snip>\n", b"... 20 lines omitted ...\n", "…\n".encode())
RUNS = (1, 1, 2, 3, 5, 20, 100)
"""How many lines, or batches, are kept or cut out in one go."""
BATCH = re.compile(rb"(?:baseOffset|offset): ")


def random_excerpt(dev: Path, target: Path, seed: int) -> Part:
    """Copy the dumps of a random scenario into this folder, with lines cut out of some of them."""
    rng = random.Random(seed)
    scenarios = [path.parent.name for path in sorted(dev.glob("*/truth.json")) if (path.parent / "dumps").is_dir()]
    scenario = rng.choice(scenarios)
    source = dev / scenario / "dumps"
    shutil.copytree(source, target)
    logs = [path for path in sorted(target.rglob("*")) if re.search(r"\.log(\.\w+)*\.txt$", path.name)]
    share, ragged, marked = rng.choice((0.05, 0.3, 1)), rng.random() < 0.5, rng.choice((0, 0.5, 1))
    chosen = [path for path in logs if rng.random() < share] or [rng.choice(logs)]
    for path in chosen:
        path.write_bytes(excerpt(rng, path.read_bytes(), ragged=ragged, marked=marked))
    share_cut = "all" if chosen == logs else f"{len(chosen)} of {len(logs)}"
    done = f"{share_cut} logs, {'lines' if ragged else 'batches'} cut out, marked {marked}"
    return Part(seed, scenario, "dumps", done)


def excerpt(rng: random.Random, text: bytes, *, ragged: bool, marked: float) -> bytes:
    """Return a dump without some runs of its batches, or of its lines; a cut has a mark with this probability.

    The `Dumping` line and the start stay. If nothing else shows that lines were cut out, a mark stands at the end: what
    ends early without a sign is an older copy, not an excerpt.
    """
    head, parts = _split(text, ragged=ragged)
    out = [head]
    keep = rng.random() < 0.5
    shown = cut = False
    while parts:
        run = parts[: rng.choice(RUNS)]
        del parts[: len(run)]
        if keep:
            shown |= cut and any(BATCH.match(line) for line in run)
            out += run
        else:
            cut |= any(BATCH.match(line) for line in run)
            if rng.random() < marked:
                shown = True
                out.append(rng.choice(MARKS))
        keep = not keep
    last_cut = keep
    return b"".join([*out, MARKS[0]] if last_cut and not shown else out)


def _split(text: bytes, *, ragged: bool) -> tuple[bytes, list[bytes]]:
    """Return what stands before the first batch, and each batch with its records, or each line."""
    lines = text.splitlines(keepends=True)
    first = next((number for number, line in enumerate(lines) if BATCH.match(line)), len(lines))
    if ragged:
        return b"".join(lines[:first]), lines[first:]
    parts: list[bytes] = []
    for line in lines[first:]:
        if BATCH.match(line) or not parts:
            parts.append(line)
        else:
            parts[-1] += line
    return b"".join(lines[:first]), parts
