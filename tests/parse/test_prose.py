"""Plain words and fields between the lines of a log are counted among what was not understood; what a log wrote is not."""

import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_between_lines import LOG
from test_mixed_lines import written

WORDS = "Hi team, our consumer is stuck since this morning, can someone look?\n"
SAID = (
    "[2024-05-25 13:14:14,560] INFO [TransactionCoordinator id=1] Initialized transactionalId pay-1 with producerId 1730 "
    "and producer epoch 2 on partition __transaction_state-31 (kafka.coordinator.transaction.TransactionCoordinator)\n"
)
BROKEN = SAID.replace("transactionalId pay-1 with ", "transactionalId pay-1 with\n").replace(" 2 on ", " 2\non ")
TRACE = (
    "[2024-05-25 13:14:14,560] ERROR [KafkaApi-1] Unexpected error handling request (kafka.server.KafkaApis)\n"
    "java.lang.IllegalStateException: the state is not what was expected here\n\tat kafka.x.Y.z(Y.scala:1)\n"
    "Caused by: java.lang.RuntimeException: no\n"
)


@pytest.mark.parametrize(
    ("paste", "lines"),
    [
        (WORDS + LOG, 1),
        (LOG + "then we restarted the pod, and it is still not moving\n" + LOG + "\nthanks for any help\n", 2),
        (SAID + "> " + WORDS + SAID, 1),
        (WORDS + BROKEN, 1),
        (SAID + BROKEN + TRACE, 0),
        (SAID + "INFO Discovered nothing that anybody would look for\n", 0),
        (SAID + 'num.partitions = 3\n{"a": 1}\n', 1),
    ],
)  # fmt: skip
def test_words_between_lines_of_a_log_are_counted(tmp_path, paste, lines):
    facts = written(tmp_path, paste)
    assert sum(row["lines"] for row in facts["unparsed_lines"]) == lines


def test_a_line_of_many_words_takes_no_longer(tmp_path):
    begun = time.monotonic()
    written(tmp_path, LOG + "a... " * 390 + "=\n")
    assert time.monotonic() - begun < 5
