"""Measures `run` on a broker's log of which some lines say something.

usage: python bench/logs.py [--mb 100]
"""

import argparse
import tempfile
from pathlib import Path

from captures import judged
from run import say

AT = "[2024-05-25 {:02}:{:02}:{:02},{:03}] INFO "
QUIET = (
    "[UnifiedLog partition=orders-{}, dir=/data] Rolled new log segment at offset {} in 13 ms. (kafka.log.UnifiedLog)"
)
SAYS = (
    "[TransactionCoordinator id=1] Initialized transactionalId pay-{} with producerId {} and producer epoch 2 on "
    "partition __transaction_state-31 (kafka.coordinator.transaction.TransactionCoordinator)"
)
SHARES = {"none": 0, "1 of 1,000": 1000, "1 of 10": 10}
"""One of how many lines says something."""


def write(path: Path, mb: int, share: int) -> None:
    """Write a log of so many MB, a line every 37 ms."""
    with path.open("w", encoding="ascii") as file:
        number = written = 0
        while written < mb * 1_000_000:
            ms = number * 37
            at = AT.format(ms // 3_600_000 % 24, ms // 60_000 % 60, ms // 1000 % 60, ms % 1000)
            told = SAYS if share and number % share == 0 else QUIET
            written += file.write(f"{at}{told.format(number % 50, number)}\n")
            number += 1


def main() -> None:
    """Parse the arguments, run the bench in a scratch folder and print its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=100)
    given = parser.parse_args()
    say(f"## A log of {given.mb} MB, sail\n\n| lines that say something | s | CPU s | MB/s |\n|---|---|---|---|")
    for name, share in SHARES.items():
        with tempfile.TemporaryDirectory(prefix="txn-forensics-bench-") as scratch:
            folder = Path(scratch) / "capture"
            folder.mkdir()
            write(folder / "server.log", given.mb, share)
            took = judged("sail", Path(scratch) / "case", folder, "log")
            say(f"| {name} | {took.seconds:.1f} | {took.cpu_seconds:.1f} | {given.mb / took.seconds:.1f} |")


if __name__ == "__main__":
    main()
