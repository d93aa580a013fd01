"""Which partition a dump is of where its Dumping line was not copied, or names only the file."""

import pytest

BATCH = (
    "baseOffset: 0 lastOffset: 0 count: 1 baseSequence: 0 lastSequence: 0 producerId: 7 producerEpoch: 0 partitionLeaderEpoch: 0 "
    "isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty position: 0 CreateTime: 5 size: 78 magic: 2 "
    "compresscodec: none crc: 99 isvalid: true\n"
)
NEXT = BATCH.replace("baseOffset: 0 lastOffset: 0", "baseOffset: 1 lastOffset: 1").replace(
    "position: 0", "position: 78"
)
NAME = "00000000000000000000.log"
TOOL = "/opt/kafka/bin/kafka-dump-log.sh --deep-iteration"
COMMANDS = {
    "one line": f"$ {TOOL} --files /data/orders-3/{NAME}\n",
    "filtered": f"$ {TOOL} --files /data/orders-3/{NAME} | grep -E 'isControl: true' | head -4\n",
    "several lines": f"docker exec kafka-1 {TOOL} \\\n  --files /data/orders-3/{NAME} \\\n  --print-data-log\n",
    "a class": f"docker-compose exec b kafka-run-class kafka.tools.DumpLogSegments --files /data/orders-3/{NAME}\n",
}


def places(facts):
    return [(row["dumped_topic"], row["dumped_partition"], row["batches"]) for row in facts["sections"]]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("between", ["", "Log starting offset: 0\n", "```\n\n```\n"])
def test_the_command_names_the_partition(read, command, between):
    assert places(read(COMMANDS[command] + between + BATCH + NEXT)) == [("orders", 3, 2)]


def test_a_dumping_line_says_more_than_the_command(read):
    text = f"{COMMANDS['one line']}Dumping /data/orders-4/{NAME}\nLog starting offset: 0\n{BATCH}"
    assert places(read(text)) == [("orders", 4, 1)]


def test_each_command_opens_a_dump_of_its_own(read):
    other = COMMANDS["one line"].replace("orders-3", "orders-4")
    assert places(read(COMMANDS["one line"] + BATCH + other + BATCH + NEXT)) == [("orders", 3, 1), ("orders", 4, 2)]


@pytest.mark.parametrize(
    ("prompt", "place"),
    [
        ("root@kafka2:/srv/logs/invoices-0# ", ("invoices", 0)),
        ("[root@kafka2 /srv/logs/invoices-0]# ", ("invoices", 0)),
        ("/srv/logs/invoices-0$ ", ("invoices", 0)),
        ("root@kafka2:~# ", (None, None)),
        ("$ ", (None, None)),
    ],
)
def test_a_prompt_names_the_folder(read, prompt, place):
    text = f"{prompt}{TOOL} --files {NAME}\nDumping {NAME}\nLog starting offset: 0\n{BATCH}"
    assert places(read(text)) == [(*place, 1)]


@pytest.mark.parametrize("files", [f"/data/a-0/{NAME},/data/b-1/{NAME}", "x.log", "/data/orders/x.log"])
def test_a_command_that_names_no_partition_places_nothing(read, files):
    assert places(read(f"$ {TOOL} --files {files}\n{BATCH}")) == [(None, None, 1)]


def test_a_command_in_a_payload_places_nothing(read):
    value = f"v\n{COMMANDS['one line']}w"
    record = f"| offset: 0 CreateTime: 5 keySize: 1 valueSize: {len(value)} sequence: 0 headerKeys: [] key: k payload: {value}\n"
    text = f"Dumping /data/own-1/{NAME}\nLog starting offset: 0\n{BATCH}{record}{NEXT}"
    assert places(read(text)) == [("own", 1, 2)]


def test_a_number_that_no_column_holds_names_no_partition(read):
    assert places(read(f"Dumping t-{'9' * 30}/{'9' * 20}.log\nLog starting offset: 0\n{BATCH}")) == [(None, None, 1)]
