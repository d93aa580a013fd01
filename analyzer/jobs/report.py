"""Prints the stored report of a capture, the last of three tasks."""

from analyzer.jobs import task


def main() -> None:
    """Run `txn-forensics report` with the arguments of the process."""
    task("report")


if __name__ == "__main__":
    main()
