"""Cells of answers that a spreadsheet or a page has changed: what cannot be read is no answer that nothing is open."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_other_tools import read, told

HEAD = "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\n"
ASKED = "$ kafka-transactions.sh --bootstrap-server b:9092 describe-producers --topic orders --partition 3\n"
DESCRIBED = (
    "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\tTransactionTimeoutMs\t"
    "CurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions\n"
)


@pytest.mark.parametrize("offset", ["9.13E+08", "548.171", "5,48171E+05", "########", "548171 (stuck)", "?"])
def test_a_start_that_cannot_be_read_is_no_idle_producer(tmp_path, offset):
    facts = read(
        tmp_path, f"{ASKED}{HEAD}1674\t2\t5\t49\t1716642854560\t{offset}\t\n1675\t0\t5\t9\t1716642854570\tNone\t\n"
    )
    assert told(facts["answers"], "producer_id first_offset") == [(1675, None)]
    assert [row["lines"] for row in facts["unparsed_lines"] if "1674" in row["text"]] == [1]


@pytest.mark.parametrize("nothing", ["None", "-", "-1", "", "**None**", "null"])
def test_what_says_that_nothing_is_open(tmp_path, nothing):
    facts = read(tmp_path, f"{ASKED}{HEAD}1675\t0\t5\t9\t1716642854570\t{nothing}\t\n")
    assert told(facts["answers"], "producer_id first_offset") == [(1675, None)]


@pytest.mark.parametrize(
    "state", ["`PrepareCommit`", "**PrepareCommit**", "PrepareCommit,", "_PrepareCommit_", "'PrepareCommit'"]
)
def test_marks_around_a_state(tmp_path, state):
    facts = read(tmp_path, f"{DESCRIBED}1\tpay-1\t5017\t0\t{state}\t60000\t1650000000000\t3021\torders-0\n")
    assert told(facts["answers"], "transactional_id state") == [("pay-1", "PrepareCommit")]
