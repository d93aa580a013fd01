"""Lines of logs that mail broke, beside what follows a whole line."""

import io

import pytest

from analyzer.parse.reading import read_stream

REFUSED = """[2024-11-18 09:15:01,044] WARN [Producer clientId=producer-pay-1,
 transactionalId=pay-1] Got error produce response with correlation id 55
 on topic-partition orders-3, retrying (2147483646 attempts left).
 Error: INVALID_TXN_STATE
 (org.apache.kafka.clients.producer.internals.Sender)
"""
ROLLED_BACK = """[2024-11-18 09:15:02,044] INFO [TransactionCoordinator id=2] Completed rollback
of ongoing transaction for transactionalId pay-1 due to timeout
(kafka.coordinator.transaction.TransactionCoordinator)
"""
WHOLE = "[2024-11-18 09:15:01,044] INFO [TransactionCoordinator id=2] Completed rollback\n"


def lines_of(text: str, kind: str = "broker_log") -> list[tuple]:
    rows = [row for batch in read_stream(io.BytesIO(text.encode()), kind, "a.log", "f") for row in batch.to_pylist()]
    return [
        (row["says"], row["transactional_id"], row["line"], row["byte_offset"])
        for row in rows
        if row["table"] == "log_lines"
    ]


def quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


@pytest.mark.parametrize("kind", ["broker_log", "admin"])
@pytest.mark.parametrize("form", [str, quoted])
def test_a_broken_line_stands_where_it_begins(kind, form):
    text = form(REFUSED) + form(ROLLED_BACK)
    refused, rolled_back = lines_of(text, kind)
    assert refused[1:] == ("pay-1", 1, 0)
    assert rolled_back == ("rolled_back", "pay-1", 6, len(form(REFUSED).encode()))


@pytest.mark.parametrize(
    "between",
    [
        "\n",
        "\tof ongoing transaction\n",
        "    at kafka.server.KafkaApis.handle(KafkaApis.scala:1)\n",
        "Caused by: java.io.IOException\n",
        "acks = all\n",
        "[2024-11-18 09:15:02,000] INFO something else (kafka.server.KafkaServer)\n",
        "words\n" * 8,
    ],
)
def test_what_follows_a_whole_line_is_no_part_of_it(between):
    rest = "of ongoing transaction for transactionalId pay-1 due to timeout\n"
    assert lines_of(WHOLE + rest)
    assert not lines_of(WHOLE + between + rest)


def test_a_line_that_says_something_alone_is_whole():
    whole = ROLLED_BACK.replace("\n", " ") + "\n"
    assert lines_of(whole + "of ongoing transaction for transactionalId pay-2 due to timeout\n") == [
        ("rolled_back", "pay-1", 1, 0)
    ]
