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


@pytest.mark.parametrize("between", ["", f"Dumping /data/orders-3/{NAME}\nLog starting offset: 0\n"])
@pytest.mark.parametrize(
    ("goes_on", "ending"),
    [("", "complete"), (" | head -4", "excerpt"), (" 2>&1 |grep -E 'a|b'", "excerpt"), (" | tee x.txt", "complete")],
)
def test_a_dump_that_went_through_a_filter_is_an_excerpt(read, between, goes_on, ending):
    """Nothing in the lines shows that head took the rest: such a partition was called clean."""
    command = COMMANDS["one line"].rstrip() + goes_on + "\n"
    assert [row["ending"] for row in read(command + between + BATCH + NEXT)["sections"]] == [ending]
    whole = COMMANDS["one line"].replace("orders-3", "orders-4") + BATCH
    assert [row["ending"] for row in read(command + BATCH + whole)["sections"]] == [ending, "complete"]


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


DUMP_OF_PAY = f"$ {TOOL} --files /d/pay-3/{NAME}"
NOWHERE = (None, None, 1)
ELSEWHERE = {
    "another prompt's folder": (
        f"{DUMP_OF_PAY}\n{BATCH}root@b:/d/orders-1# {TOOL} --files {NAME}\n{BATCH}",
        [("orders", 1, 1)],
    ),
    "several files": (f"{DUMP_OF_PAY}\n{BATCH}$ {TOOL} --files /d/a-1/{NAME},/d/b-2/{NAME}\n{BATCH}", [NOWHERE]),
    "no folder": (f"{DUMP_OF_PAY}\n{BATCH}$ {TOOL} --files {NAME}\n{BATCH}", [NOWHERE]),
    "a dump that was kept": (f"{DUMP_OF_PAY}\n{BATCH}$ cat dump-of-orders-1.txt\n{BATCH}", [NOWHERE]),
    "a script": (
        f"root@b:/d/pay-3# {TOOL} --files {NAME}\nDumping {NAME}\n{BATCH}root@b:/d/orders-1# ./dump.sh\nDumping {NAME}\n{BATCH}",
        [NOWHERE],
    ),
}


@pytest.mark.parametrize("case", ELSEWHERE)
def test_what_another_command_printed_is_not_of_the_first_one_s_partition(read, case):
    text, then = ELSEWHERE[case]
    assert places(read(text)) == [("pay", 3, 1), *then]


@pytest.mark.parametrize(
    "command",
    [f"{DUMP_OF_PAY} > pay.txt", f"{DUMP_OF_PAY} >pay.txt 2>&1", f"{DUMP_OF_PAY}; {TOOL} --files /d/orders-1/{NAME}"],
)
def test_a_command_that_prints_nothing_or_several_dumps_places_nothing(read, command):
    assert places(read(f"{command}\n$ head pay.txt\n{BATCH}"))[-1:] == [NOWHERE]


def test_answers_below_a_dump_and_its_command_stay_where_they_can_be_found(read):
    found = (
        "$ kafka-transactions.sh --bootstrap-server b:9092 find-hanging --broker-id 1\n"
        "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\n"
        "accounts\t0\t424242\t0\t1\t7\t1795252401091\t90\n"
    )
    facts = read(f"{DUMP_OF_PAY}\nDumping /d/pay-3/{NAME}\nLog starting offset: 0\n{BATCH}\n{found}")
    assert places(facts) == [("pay", 3, 1)]
    assert [row["producer_id"] for row in facts["answers"]] == [424242]
    assert {row["section"] for row in facts["answers"]} <= {row["section"] for row in facts["sections"]}
