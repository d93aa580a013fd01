"""Records of the console and of kcl among lines of a dump, a table or a log: read, and of no partition they do not name."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from printing import Batch, Record, printed
from test_kcl_records import printed as kcl_printed
from test_mixed_lines import written

STATE = (
    "slow::TransactionMetadata(transactionalId=slow, producerId=30, producerEpoch=3, txnTimeoutMs=60000, state=Ongoing, "
    "pendingState=None, topicPartitions=HashSet(t-0), txnStartTimestamp=5, txnLastUpdateTimestamp=6)\n"
)
OBJECT = (
    '{"key":{"type":0,"data":{"transactionalId":"slow"}},"value":{"version":0,"data":{"producerId":30,"producerEpoch":3,'
    '"transactionTimeoutMs":60000,"transactionStatus":1,"transactionPartitions":[{"topic":"t","partitionIds":[0]}],'
    '"transactionLastUpdateTimestampMs":6,"transactionStartTimestampMs":5}}}\n'
)
COMMIT = "[g,t,0]::OffsetAndMetadata(offset=5, leaderEpoch=Optional[3], metadata=, commitTimestamp=1, expireTimestamp=None)\n"
DUMP, _ = printed([Batch([Record("k", "v1")])], contents=False)
TABLE = (
    "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\n"
    "t\t0\t30\t3\t4\t91\t1716642854560\t209793\n"
)
LOG = "[2024-05-25 13:14:14,560] INFO Truncating to offset 5 (kafka.log.UnifiedLog)\n"


@pytest.mark.parametrize("paste", [DUMP, TABLE, LOG], ids=["dump", "table", "log"])
@pytest.mark.parametrize("states", [STATE, OBJECT, "> " + STATE, OBJECT[:-1] + OBJECT], ids=["old", "json", ">", "two"])
@pytest.mark.parametrize("before", [True, False])
def test_states_beside_other_lines(tmp_path, paste, states, before):
    facts = written(tmp_path, states + "\n" + paste if before else paste + "\n" + states)
    told = [(row["transactional_id"], row["producer_id"], row["state"]) for row in facts["coordinator_states"]]
    assert told == [("slow", 30, "Ongoing")] * max(states.count('{"key"'), 1)
    places = {row["section"]: row["dumped_topic"] for row in facts["sections"]}
    assert {places[row["section"]] for row in facts["coordinator_states"]} == {None}
    assert not facts["unparsed_lines"]


@pytest.mark.parametrize("paste", [DUMP, TABLE], ids=["dump", "table"])
def test_what_stands_beside_is_read_as_if_alone(tmp_path, paste):
    alone, beside = written(tmp_path, paste), written(tmp_path, paste + "\n" + STATE + COMMIT + kcl_printed(7, 5))
    for table in ("batches", "answers"):
        assert alone[table] == beside[table]
    assert [row["committed_offset"] for row in beside["offset_commits"]] == [5]
    places = {row["section"]: row["dumped_partition"] for row in beside["sections"] if row["kind"] == "console"}
    states = [(row["offset"], places[row["section"]]) for row in beside["coordinator_states"]]
    assert sorted(states, key=str) == [(5, 7), (None, None)]


def test_the_text_of_a_record_is_no_state(tmp_path):
    forged = Batch([Record("k", f"x\n{STATE}{OBJECT}y")])
    text, _ = printed([forged, Batch([Record("k", "v")])], contents=True)
    facts = written(tmp_path, text)
    assert len(facts["batches"]) == 2
    assert not facts["coordinator_states"]


def test_another_command_tells_no_partition_of_a_table(tmp_path):
    """Producers are in the partition that describe-producers was asked about, not where a consumer read."""
    consumer = "$ bin/kafka-console-consumer.sh --bootstrap-server b:9092 --topic other --partition 3\n"
    table = "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\n"
    [row] = written(tmp_path, f"{consumer}x\n{table}30\t3\t4\t9\t1716642854560\t91\n")["answers"]
    assert (row["producer_id"], row["topic"], row["partition"]) == (30, None, None)
