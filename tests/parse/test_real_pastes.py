"""What brokers, clients and tools of 3.9.1 and 4.1.1 wrote while transactions were stuck, as people paste it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import rows_by_table

from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

BROKER = """\
[2026-11-30 01:56:02,487] INFO [TransactionCoordinator id=1] Elected as the txn coordinator for partition 2 at epoch 0 \
(kafka.coordinator.transaction.TransactionCoordinator)
[2026-11-30 01:56:39,925] INFO [TransactionCoordinator id=1] Initialized transactionalId pay-tx-1 with producerId 1 \
and producer epoch 0 on partition __transaction_state-2 (kafka.coordinator.transaction.TransactionCoordinator)
"""
CLIENT = """\
{0}[main] INFO {1}org.apache.kafka.clients.producer.internals.TransactionManager - [Producer \
clientId=producer-pay-tx-1, transactionalId=pay-tx-1] Invoking InitProducerId for the first time in order to acquire \
a producer ID
{0}[kafka-producer-network-thread | producer-pay-tx-1] INFO {1}org.apache.kafka.clients.producer.internals.\
TransactionManager - [Producer clientId=producer-pay-tx-1, transactionalId=pay-tx-1] ProducerId set to 1 with epoch 0
{0}[main] ERROR com.example.payments.PaymentService - Transaction step commit failed
org.apache.kafka.common.errors.TimeoutException: Timeout expired after 30000ms while awaiting EndTxn(true)
"""
READER = """\
{0}[main] INFO {1}org.apache.kafka.common.utils.AppInfoParser - Kafka version: 3.9.1
{0}[main] INFO {1}org.apache.kafka.clients.consumer.internals.ClassicKafkaConsumer - [Consumer \
clientId=consumer-ledger-app-1, groupId=ledger-app] Subscribed to topic(s): payments
"""
LAYOUTS = {"simple": ("", ""), "logback": ("01:56:48.129 ", " ")}
PRODUCERS = """\
$ bin/kafka-transactions.sh --bootstrap-server localhost:9092 describe-producers --topic payments --partition 0
ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\t
1         \t0            \t0                     \t8           \t1796003800210\t6                            \t
"""
SKIPPED = """\
$ bin/kafka-get-offsets.sh --bootstrap-server localhost:9092 --topic quotes --time latest
Skip getting offsets for topic-partition quotes-0 due to error: org.apache.kafka.common.errors.TimeoutException: \
Call(callName=listOffsets(api=METADATA), deadlineMs=1796005028807, tries=654, nextAllowedTryMs=1796005029823) timed \
out at 1796005028823 after 654 attempt(s)
trades:0:5
"""
NO_GROUP = {
    "3.9.1": "\nError: Consumer group 'ledger-app' does not exist.\n",
    "4.1.1": (
        "\nError: Executing consumer group command failed due to org.apache.kafka.common.errors."
        "GroupIdNotFoundException: Group ledger-app not found.\n"
        "java.util.concurrent.ExecutionException: org.apache.kafka.common.errors.GroupIdNotFoundException: Group "
        "ledger-app not found.\n"
        "\tat org.apache.kafka.common.internals.KafkaFutureImpl.get(KafkaFutureImpl.java:155)\n"
        "\tat org.apache.kafka.tools.consumer.group.ConsumerGroupCommand.main(ConsumerGroupCommand.java:123)\n"
        "Caused by: org.apache.kafka.common.errors.GroupIdNotFoundException: Group ledger-app not found.\n"
    ),
}
DESCRIBE_GROUP = "$ bin/kafka-consumer-groups.sh --bootstrap-server localhost:9092 --describe --group ledger-app\n"
LOG_DIRS = """\
Querying brokers for log directories information
Received log directory information from brokers 1
{"brokers":[{"broker":1,"logDirs":[{"partitions":[{"partition":"orders-0","size":485,"offsetLag":0,"isFuture":false},\
{"partition":"orders-1","size":161,"offsetLag":0,"isFuture":false}],"error":null,"logDir":"/data"}]}],"version":1}
"""


def read(tmp_path: Path, text: str) -> tuple[str, dict[str, list[dict]]]:
    path = tmp_path / "pasted.txt"
    path.write_text(text)
    [file] = scan_capture(CaptureRequest((str(path),))).files
    [source] = scan_capture(CaptureRequest((str(path),))).sources()
    return file["file_kind"], rows_by_table(read_facts(source))


def said(facts: dict[str, list[dict]]) -> list[str]:
    return [row["says"] for row in facts["log_lines"]]


def named(text: str, prefix: str) -> str:
    return "".join(f"{prefix}{line}" for line in text.splitlines(keepends=True))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_logs_of_clients_in_the_layouts_that_nobody_chose(tmp_path, layout):
    kind, facts = read(tmp_path, CLIENT.format(*LAYOUTS[layout]))
    assert (kind, said(facts)) == ("broker_log", ["producer_id_asked", "producer_id_set", "client_timeout"])
    kind, facts = read(tmp_path, READER.format(*LAYOUTS[layout]))
    assert (kind, said(facts), facts["unparsed_lines"]) == ("broker_log", [], [])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("pod", ["[pod/pay-5d9f/app] ", ""])
def test_logs_with_the_names_of_pods_around_an_answer(tmp_path, layout, pod):
    """What a log says beside transactions is no line of a tool that was not understood."""
    client = named(CLIENT.format(*LAYOUTS[layout]), pod)
    kind, facts = read(
        tmp_path, named(BROKER, "[pod/kafka-0/kafka] ") + client + named(PRODUCERS, "[pod/kafka-0/kafka] ")
    )
    of_client = ["producer_id_asked", "producer_id_set", "client_timeout"]
    assert (kind, said(facts)) == ("admin", ["coordinates", "initialized", *of_client])
    [answer] = facts["answers"]
    assert (answer["topic"], answer["partition"], answer["first_offset"]) == ("payments", 0, 6)
    assert not facts["unparsed_lines"]


@pytest.mark.parametrize("version", NO_GROUP)
@pytest.mark.parametrize("command", ["", DESCRIBE_GROUP])
@pytest.mark.parametrize("below", ["", PRODUCERS])
def test_a_group_that_does_not_exist(tmp_path, version, command, below):
    """Nothing failed: this is the answer, in each release in its own words."""
    _, facts = read(tmp_path, command + NO_GROUP[version] + below)
    assert said(facts) == ["no_such_group"]
    assert not facts["unparsed_lines"]
    assert {row["ending"] for row in facts["sections"]} == {"complete"}


def test_a_group_without_members_or_positions(tmp_path):
    kind, facts = read(tmp_path, f"{DESCRIBE_GROUP}\nConsumer group 'ledger-app' has no active members.\n")
    assert (kind, facts["unparsed_lines"]) == ("broker_log", [])


def test_log_dirs(tmp_path):
    for below in ("", PRODUCERS):
        _, facts = read(tmp_path, LOG_DIRS + below)
        assert len(facts["answers"]) == bool(below)
        assert not facts["unparsed_lines"]


def test_an_offset_that_was_not_told(tmp_path):
    _, facts = read(tmp_path, SKIPPED)
    [line] = facts["log_lines"]
    assert (line["says"], line["topic"], line["partition"]) == ("not_answered", "quotes", 0)
    assert not facts["unparsed_lines"]


def test_fields_that_no_tool_is_known_for_are_counted(tmp_path):
    """Settings that a log itself prints stand below a tab; what is broken by a mail goes on."""
    own = "transactional.id=pay-tx-1\nproducerId=1 epoch=0 state=Ongoing topic=payments partition=0\n"
    kind, facts = read(tmp_path, BROKER + own + "\tacks = -1\n\ttransactional.id = pay-tx-1\n" + BROKER)
    assert kind == "broker_log"
    [counted] = facts["unparsed_lines"]
    assert (counted["line"], counted["lines"]) == (3, 2)
    broken = BROKER.replace("\n", " and so on to where mail breaks the line, with\nkey=value\n", 1)
    assert read(tmp_path, broken)[1]["unparsed_lines"] == []
