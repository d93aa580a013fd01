"""The command `anonymize`: a copy of a capture that may leave the company."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from analyzer.anonymize.copying import Copied, anonymized
from analyzer.anonymize.secret import keep_secret, load_secret, new_secret
from analyzer.errors import UsageError

_SHOWN = 20
INCOMPLETE = 3


def anonymize(
    paths: Annotated[list[str], typer.Argument(help="Folders or files of one capture.", metavar="PATH...")],
    output: Annotated[Path, typer.Option("-o", "--output", help="New folder for the copy.")],
    secret: Annotated[
        Path | None, typer.Option("--secret", help="Secret of an earlier copy: the same names get the same ones.")
    ] = None,
) -> None:
    """Write a copy whose names, keys and payloads are others.

    Its analysis gives the same findings.

    Topics, ids, groups, members, hosts, keys, payloads and headers are replaced by others of their length, ids and keys
    by such that land in the same partition; checksums are made right again. Numbers, times and states stay. The secret
    and what each name became are written beside the copy: keep that file. Exit codes: 0 all evidence is in the copy, 2
    nothing to read, 3 files that may be evidence are left out.
    """
    if output.exists():
        raise UsageError(f"{output} exists.", wanted="a new folder")
    aside = output.with_name(output.name + ".secret.json")
    if aside.exists():
        raise UsageError(f"{aside} exists.", wanted="a new folder beside which no secret is", do=f"--secret {aside}")
    known = load_secret(secret) if secret else new_secret()
    copied = anonymized(paths, output, known)
    keep_secret(aside, known, copied.names)
    sys.stdout.write(_told(copied, output, aside))
    raise typer.Exit(INCOMPLETE if copied.missing else 0)


def _told(copied: Copied, output: Path, aside: Path) -> str:
    """Return what was done, in lines."""
    counts = ", ".join(map(str, copied.counts))
    lines = [
        f"{output}: {len(copied.paths)} files, {len(copied.names)} names replaced.",
        f"Ids keep their partition under these counts: {counts}.",
        f"{aside}: the secret and the names. Do not send it; it turns the findings back into your names.",
    ]
    if copied.kept:
        lines.append(
            f"Kept, because no other name of that length lands in the same partition: {', '.join(copied.kept)}."
        )
    if copied.kept_keys:
        lines.append(f"Kept: {copied.kept_keys} keys, too short to have another one in the same partition.")
    if copied.left_out:
        lines.append(f"Left out: {len(copied.left_out)} files.")
        lines += [f"  {path}: {why}" for path, why in copied.left_out[:_SHOWN]]
        lines += [f"  and {len(copied.left_out) - _SHOWN} more"] if len(copied.left_out) > _SHOWN else []
    return "".join(f"{line}\n" for line in lines)
