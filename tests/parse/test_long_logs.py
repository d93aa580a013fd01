"""Logs of many and of very long lines: `run` holds a bounded part of them, and no pattern takes long over one line."""

import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.kafka.words import may_be_evidence
from analyzer.kafka.wrapped_lines import unwrapped
from analyzer.parse.small_files.admin_tables import Tables

SAYS = (
    "[2024-05-25 13:14:14,560] INFO [TransactionCoordinator id=1] Initialized transactionalId pay-{0} with producerId {0} "
    "and producer epoch 2 on partition __transaction_state-31 (kafka.coordinator.transaction.TransactionCoordinator)"
)
QUIET = "[2024-05-25 13:14:14,560] INFO [GroupCoordinator 1]: Preparing to rebalance group g-{} in state Empty"
TABLE = "TransactionalId\tCoordinator\tProducerId\tTransactionState\t\npay\t1\t7\tOngoing\t\n"
LOGS = {
    "short": lambda file: file.writelines(f"{(SAYS if n % 2 else QUIET).format(n)}\n" for n in range(1_000_000)),
    "long": lambda file: file.writelines(f"{SAYS.format(n)}{' x' * 50_000}\n" for n in range(20_000)),
    "long below a table": lambda file: file.writelines(
        [TABLE, *(f"{QUIET.format(n)}{' offset 5' * 11_000}\n" for n in range(5_000))]
    ),
    "one line": lambda file: file.writelines([QUIET, *(" x" * 500_000 for _ in range(500)), f"\n{SAYS.format(1)}\n"]),
}
MOST_MEBIBYTES = 800
"""Measured: 360 to 510, of which the engine alone takes 300."""
MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""In a process of its own: a child begins with the peak of the process that forks it, and that of pytest is high by then."""


@pytest.mark.parametrize("log", LOGS)
def test_memory_is_bounded(tmp_path, soak, log):
    if not soak:
        pytest.skip("--soak writes gigabytes")
    path = tmp_path / "capture" / "server.txt"
    path.parent.mkdir()
    with path.open("w") as file:
        file.write(f"{SAYS.format(0)}\n")
        LOGS[log](file)
    case = str(tmp_path / "case")
    command = [sys.executable, "-m", "analyzer", "run", str(path.parent), "--engine", "sail", "--case", case, "--quiet"]
    measured = subprocess.run(
        [sys.executable, "-c", MEASURE, *command],
        capture_output=True,
        cwd=Path(__file__).parents[2],
        check=True,
        text=True,
    )
    path.unlink()
    code, kibibytes = map(int, measured.stdout.split())
    assert code in (0, 1, 3)
    assert kibibytes / 1024 < MOST_MEBIBYTES


@pytest.mark.parametrize("piece", ["\t", "/", "/a", "a/", "> ", "$ ", "[", "\x1b[", "&gt;", '{"log":"', "kafka-"])
def test_no_pattern_takes_long(piece):
    """Each of these takes milliseconds; one that tries every pair of places would take hours."""
    line = piece * (1_000_000 // len(piece)) + " x"
    may_be_evidence(line.encode())
    unwrapped(line)
    for _ in range(20):
        Tables("").take(line[:4_000])
