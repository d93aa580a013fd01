"""Reads the files of captures into the case, the first of three tasks."""

from analyzer.jobs import task


def main() -> None:
    """Run `txn-forensics ingest` with the arguments of the process."""
    task("ingest")


if __name__ == "__main__":
    main()
