"""What spark-submit and schedulers start: each task runs one command and fails by its exit code."""

import os
import sys
from collections.abc import Sequence

from analyzer.cli.border import run_at_border

WITH_PROGRESS = frozenset({"run", "ingest", "analyze"})
"""Commands that tell their progress on stderr, which spark-submit joins to the report on stdout."""


def task(command: str, arguments: Sequence[str] | None = None) -> None:
    """Run this command of `txn-forensics`, by default with the arguments of the process; return where it succeeds.

    Raises SystemExit with the command's exit code where it is not 0. A scheduler that takes 1, findings, for a failure
    adds `--exit-zero`.
    """
    from analyzer.cli.commands import app  # noqa: PLC0415 - a failing import is reported at the border

    wanted = [command, *(sys.argv[1:] if arguments is None else arguments)]
    if command in WITH_PROGRESS and "PYSPARK_GATEWAY_PORT" in os.environ and "--quiet" not in wanted:
        wanted.append("--quiet")
    code = run_at_border(lambda: app(wanted))
    if code:
        raise SystemExit(code)
