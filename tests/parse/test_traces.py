"""Stack traces: a dump died only if it is the tool's own, and a client's is searched for what it says."""

import pytest

from analyzer.scan.recognise import recognise

BATCH = (
    "Dumping /logs/orders-0/00000000000000000000.log\nLog starting offset: 0\n"
    "baseOffset: 0 lastOffset: 0 count: 1 baseSequence: 0 lastSequence: 0 producerId: 7 producerEpoch: 0 partitionLeaderEpoch: 0 "
    "isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty position: 0 CreateTime: 5 size: 78 magic: 2 "
    "compresscodec: none crc: 99 isvalid: true\n"
)
REFUSED = "org.apache.kafka.common.InvalidRecordException: One or more records have been rejected due to 1 record errors in total\n"
OTHERS = f"{REFUSED}\tat org.apache.kafka.clients.producer.KafkaProducer.send(KafkaProducer.java:1)\n\t... 12 more\n"
CORRUPT = (
    "org.apache.kafka.common.errors.CorruptRecordException: Record size 0 is less than the minimum record overhead"
)
OWN = f"{CORRUPT}\n\tat org.apache.kafka.common.record.X.y(X.java:1)\n\tat kafka.tools.DumpLogSegments$.main(DumpLogSegments.scala:1)\n"
CLIENT = (
    "Caused by: org.apache.kafka.common.errors.ProducerFencedException: There is a newer producer with the same transactionalId\n"
    "\tat com.example.App.main(App.java:1)\n"
)


@pytest.mark.parametrize(
    ("after", "ending", "note"),
    [
        (REFUSED, "complete", "1 lines of other programs stand in between"),
        (OTHERS, "complete", "3 lines of other programs stand in between"),
        (
            f'Exception in thread "main" {CORRUPT}\n\tat x.Y.z(Y.java:1)\n',
            "died",
            f'Exception in thread "main" {CORRUPT}',
        ),
        (OWN, "died", CORRUPT),
        (
            'Exception in thread "kafka-producer-network-thread | p" java.lang.OutOfMemoryError\n',
            "complete",
            "1 lines of other programs stand in between",
        ),
        (
            "java.util.concurrent.ExecutionException: x\n\tat org.apache.kafka.tools.TransactionsCommand.main(T.java:1)\n",
            "complete",
            "2 lines of other programs stand in between",
        ),
        (OTHERS + OWN, "died", f"{CORRUPT}; 3 lines of other programs stand in between"),
    ],
)
def test_only_the_tool_s_own_trace_ends_a_dump(read, after, ending, note):
    [section] = read(BATCH + after)["sections"]
    assert (section["ending"], section["note"]) == (ending, note)


def test_a_line_of_another_program_hides_no_batch_after_it(read):
    second = (
        BATCH.splitlines()[2]
        .replace("baseOffset: 0 lastOffset: 0", "baseOffset: 1 lastOffset: 1")
        .replace("position: 0", "position: 78")
    )
    facts = read(f"{BATCH}{OTHERS}{second}\n")
    assert [row["base_offset"] for row in facts["batches"]] == [0, 1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (CLIENT, "broker_log"),
        ("    at com.example.App.main(App.java:1)\n" + CLIENT, "broker_log"),
        (OWN, "stderr"),
        ('Exception in thread "main" java.lang.IllegalStateException: Unknown offset message version: 4\n', "stderr"),
        (
            "22:24:48.224 INFO [Producer clientId=p, transactionalId=t] ProducerId set to 1043 with epoch 0\n",
            "broker_log",
        ),
        ("Nothing of this is about logs.\n", "other"),
    ],
)
def test_whose_trace_it_is(tmp_path, text, kind):
    path = tmp_path / "paste.txt"
    path.write_text(text)
    assert recognise(path, path.stat().st_size).kind == kind


def test_a_client_s_trace_says_who_was_fenced(read):
    assert [row["says"] for row in read(CLIENT, "broker_log")["log_lines"]] == ["client_fenced"]
