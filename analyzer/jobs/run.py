"""Judges captures in one task: reads the files, analyzes them, prints the report."""

from analyzer.jobs import task


def main() -> None:
    """Run `txn-forensics run` with the arguments of the process."""
    task("run")


if __name__ == "__main__":
    main()
