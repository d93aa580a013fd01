"""The command line: reports on stdout, progress and errors on stderr, exit codes 0 to 3."""

from analyzer.cli.stopping import end_stopped, ended_by_ctrl_c, no_more_ctrl_c
from analyzer.errors import Stopped


def main() -> None:
    """Run the command of this process and exit with its code."""
    with ended_by_ctrl_c():  # imports take most of the first second
        from analyzer.cli.border import run_at_border  # noqa: PLC0415 - see above
        from analyzer.cli.commands import app  # noqa: PLC0415 - a failing import is reported at the border

    code = run_at_border(app)
    if code == Stopped.exit_code:
        end_stopped()
    no_more_ctrl_c()
    raise SystemExit(code)


__all__ = ["main"]
