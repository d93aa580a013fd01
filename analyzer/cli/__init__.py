"""The command line: reports on stdout, progress and errors on stderr, exit codes 0 to 3."""

from analyzer.cli.border import run_at_border


def main() -> None:
    """Run the command of this process and exit with its code."""
    from analyzer.cli.commands import app  # noqa: PLC0415 - a failing import is reported at the border

    raise SystemExit(run_at_border(app))


__all__ = ["main"]
