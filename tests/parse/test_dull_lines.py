"""Passing over lines of a log that say nothing changes no row, and no pattern misses a line for the words it needs."""

import io
import string

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from analyzer.kafka.log_lines.pattern import NEVER
from analyzer.kafka.log_lines.registry import ALL
from analyzer.parse.logs.dull import DullLines
from analyzer.parse.logs.reader import read_log
from analyzer.parse.reading import read_stream
from analyzer.parse.rows import Rows
from analyzer.parse.stream import Lines
from tests.parse.test_logs import LINES

AT = "2024-05-{:02d} 13:14:{:02d},560"
DULL = [
    '[{}] INFO answered {{"transactionalId": "pay-1", "state": "Ongoing"}} to a client of ours, which is not that',
    "[{}] INFO [Log partition=orders-3, dir=/data] Rolled new log segment at offset 14900 in 13 ms. (kafka.log.Log)",
    "{} WARN  [ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Partition orders-43 marked as failed and so on",
    "kafka-1  | [{}] INFO [Log partition=orders-3, dir=/data] Rolled new log segment at offset 14900 in 13 ms. (kafka.log.Log)",
    "2026-05-25T13:14:14.560123456Z [{}] INFO [Log partition=orders-3, dir=/data] Rolled new log segment at offset 9 in 13 ms.",
    '{{"time": "{}", "level": "INFO", "message": "Rolled new log segment at offset 14900 in 13 ms. (kafka.log.Log)"}}',
    '{{"log":"[{}] INFO [Log partition=orders-3, dir=/data] Rolled new log segment.\\n","stream":"stdout","time":"2024-05-25T13:14:14.560Z"}}',
    "13:14:14.560 [main] INFO  org.apache.kafka.clients.Metadata - Resetting the last seen epoch of partition a-0 to 5",
    "\tat org.apache.kafka.common.network.Selector.poll(Selector.java:481)",
    "\tat java.base/java.lang.Thread.run(Thread.java:840) ~[kafka-clients-3.9.1.jar:?]",
]
TOLD = [f"[{{}}] {line}" for line, _ in LINES.values()]
OTHERS = [
    "and then we saw this in the log of the second broker:",
    "java.lang.OutOfMemoryError: Java heap space",
    "Topic\tPartition\tProducerId\tProducerEpoch\tStartOffset\tLastTimestamp\tDuration(min)",
    '{{"time": "{}", "message": "Rolled new log segment at offset 14900 in 13 ms. (kafka.log.Log)"}}',
    '{{"time": "{}", "level": "ERROR", "message": "this did not work", "error": "a.b.SomeException: with its own words"}}',
    '{{"time": "{}", "level": "ERROR", "message": "\\u0045lected as the txn coordinator for partition 3 at epoch 5"}}',
    "\tat short(A.java:1) [?:?]",
    "13:14:14.560 [main] FATAL org.apache.kafka.clients.Metadata - Resetting the last seen epoch of partition a-0 to 5",
    "[sarama] 2024/05/25 13:14:14 txnmgr/transition [pay-1] transition from ProducerTxnFlagReady to ProducerTxnFlagInTransaction",
    "13:14:14.560 [main] INFO  org.apache.kafka.clients.Metadata - 2024/05/25 13:14:15 is when that was asked of a broker",
    '{{"ts":"{}","level":"INFO","msg":"producer id initialization success","id":7,"epoch":3,"transactional_id":"pay-1"}}',
    "time={} level=INFO msg=[Log partition=orders-3, dir=/data] Rolled new log segment at offset 14900 in 13 ms.",
    "> level=INFO at {} INFO [Log partition=orders-3, dir=/data] Rolled new log segment at offset 14900 in 13 ms.",
    "TransactionalId\tCoordinator\tProducerId\tTransactionState\t",
    "pay-1\t1\t7\tOngoing\t",
    "{{",
    '  "transactionalId": "pay-1",',
    "}}",
    "producerId=7 epoch=2 state=Ongoing",
    "[sarama] 2024/05/24 13:14:14 client/metadata fetching metadata for all topics from broker kafka-1:9092 again",
    "13:14:14.560 [main] INFO  org.apache.kafka.clients.Metadata - it was 2024/05/25 13:14:14 and so on, to some more words",
    "13:14:14.560 [main] INFO  org.apache.kafka.clients.Metadata - it was 2024/15/25 13:14:14 and so on, to some more words",
    "From: Bob Miller <bob@example.org>",
    "Sent: Monday, February 2, 2026 3:54 AM",
    "the {} INFO of this line is in the midst of a sentence of somebody who pasted it into a mail",
    "13:14:14.560 [main] INFO  org.apache.kafka.clients.Metadata - it was the {} and so on, to some more words",
    "[2024-13-41 13:14:15,560] INFO [Log partition=orders-3, dir=/data] Rolled new log segment at offset 14900 in 13 ms.",
    "[{}] INFO [Log partition=orders-3, dir=/data] Initialized transactionalId pay-9 with producerId 7 and",
    "producer epoch 2 on partition __transaction_state-31 (kafka.coordinator.transaction.TransactionCoordinator)",
    "[{}] INFO [Log partition=\u00f6rders-3, dir=/data] Rolled new log segment at offset 14900 in 13 ms. (kafka.log.Log)",
    "[{}] INFO \x1b[1m[Log partition=orders-3, dir=/data] Rolled new log segment at offset 14900 in 13 ms. (kafka.log.Log)",
    "[{}] INFO short",
    "",
]


def rows_of(text: bytes, block_bytes: int, *, bulk: bool) -> list[dict]:
    batches = read_stream(io.BytesIO(text), "broker_log", "server.log", "f", block_bytes=block_bytes, bulk=bulk)
    return [row for batch in batches for row in batch.to_pylist()]


def written(picked: list[tuple[str, int]], end: str) -> bytes:
    lines = (line.format(AT.format(day, day)) for line, day in picked)
    return "".join(f"{line}{end}" for line in lines).encode()


LINE = st.one_of(*map(st.sampled_from, (DULL, DULL, TOLD, OTHERS)))


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(LINE, st.integers(1, 28)), max_size=40),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([100, 1000, 1 << 20]),
)
def test_the_fast_way_and_the_slow_way_give_equal_rows(picked, end, block_bytes):
    text = written(picked, end)
    assert rows_of(text, block_bytes, bulk=True) == rows_of(text, block_bytes, bulk=False)


def test_the_fast_way_is_taken():
    text = written([(DULL[number // 1001], 1 + number % 28) for number in range(10_000)], "\n")
    seen = []
    lines = Lines(io.BytesIO(text))
    for _ in read_log(lines, Rows("f"), lambda at, _: seen.append(at.number), seen.append):
        pass
    assert len(seen) < 40
    assert seen[0] == 1
    assert seen[-2:] == [10_000, 10_000]


@pytest.mark.parametrize("line", [*TOLD, *OTHERS[:-1]])
def test_a_line_that_may_say_something_is_not_passed_over(line):
    text = written([(DULL[0], 1), (line, 2), (line, 3), (line, 4)], "\n")
    lines = Lines(io.BytesIO(text))
    lines.next()
    dull = DullLines(lines)
    dull.pass_over()
    assert lines.number == 2


SEARCHED = [one for one in ALL if one.written != NEVER]


@pytest.mark.parametrize("one", SEARCHED, ids=lambda one: one.says)
def test_what_a_pattern_finds_has_the_words_that_it_needs(one):
    assert one.needs

    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(one.regex, alphabet=st.sampled_from(string.printable)))
    def has_them(text):
        assert all(any(word in text.lower() for word in words) for words in one.needs)

    has_them()
