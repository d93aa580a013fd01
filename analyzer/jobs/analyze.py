"""Analyzes a capture that the case holds, the second of three tasks."""

from analyzer.jobs import task


def main() -> None:
    """Run `txn-forensics analyze` with the arguments of the process."""
    task("analyze")


if __name__ == "__main__":
    main()
