"""The command line: reports on stdout, progress and errors on stderr, exit codes 0 to 3."""

import gc
import os

from analyzer.cli.stopping import end_stopped, ended_by_ctrl_c, no_more_ctrl_c
from analyzer.errors import Stopped

SELDOM = (50_000, 20, 50)
"""When cyclic garbage is looked for: imports and plans are millions of objects that live to the end."""


def main() -> None:
    """Run the command of this process and exit with its code."""
    gc.set_threshold(*SELDOM)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy starts as many as there are cores, and nothing uses them
    with ended_by_ctrl_c():  # imports take most of the first second
        from analyzer.cli.border import run_at_border  # noqa: PLC0415 - see above
        from analyzer.cli.commands import app  # noqa: PLC0415 - a failing import is reported at the border

    code = run_at_border(app)
    if code == Stopped.exit_code:
        end_stopped()
    no_more_ctrl_c()
    gc.freeze()  # the end of the interpreter would look at every object once more
    raise SystemExit(code)


__all__ = ["main"]
