"""Runs any command of `txn-forensics`, the first argument, on the cluster that started it."""

import sys

from analyzer.jobs import task


def main() -> None:
    """Run the command that the arguments of the process name."""
    task(sys.argv[1], sys.argv[2:])


if __name__ == "__main__":
    main()
