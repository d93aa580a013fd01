"""The command line: arguments in, reports on stdout, talk on stderr, exit codes 0 to 3."""

from analyzer.cli.border import run_at_border


def main() -> None:
    """Run the command of this process and exit with its code."""
    from analyzer.cli.commands import app  # noqa: PLC0415 - so that an import that fails is told at the border

    raise SystemExit(run_at_border(app))


__all__ = ["main"]
