"""Answers of tools without a log: groups that lag, partitions without a leader, tools that failed, two addresses."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cluster import START_MS
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

from analyzer.kafka.reaching.reach import UNKNOWN
from analyzer.report.actions.reached import reach_of
from analyzer.report.actions.steps import Step
from analyzer.report.outline.log_lines import log_lines, questions
from analyzer.report.sentences.times import Clock

TABLE = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\n"
LAGGING = f"{TABLE}readers orders 0 2 9 7\nreaders orders 1 5 5 0\n"
STANDING = f"{TABLE}readers orders 1 2 9 7\n{TABLE}readers orders 1 2 19 17\n"
DESCRIBED = (
    "$ kafka-topics.sh --bootstrap-server b:9092 --describe --topic orders\n"
    "\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n"
    "\tTopic: orders\tPartition: 1\tLeader: none\tReplicas: 2,3,1\tIsr: 2,3\n"
)
PRODUCERS = (
    "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\n"
)
LEADER = "$ kafka-transactions.sh --bootstrap-server {}:9092 describe-producers --topic orders --partition 0\n"
OPEN = f"{LEADER}{PRODUCERS}7\t0\t0\t3\t{START_MS}\t18\n"
DENIED = (
    "$ kafka-transactions.sh --bootstrap-server b:9092 abort --topic orders --partition 0 --start-offset 18\n"
    'Exception in thread "main" org.apache.kafka.common.errors.ClusterAuthorizationException: not authorized.\n'
)
BY_RPK = (
    "$ rpk group describe readers\nGROUP        readers\nCOORDINATOR  1\n\n"
    "TOPIC   PARTITION  CURRENT-OFFSET  LOG-START-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID\n"
    "orders  0          2               0                 9               7    m-1\n"
)
LONE_STATES = (
    "from the dump of last night:\ndump.txt:41:key: transaction_metadata::transactionalId=pay-2 payload: producerId:8,"
    "producerEpoch:0,state=Ongoing,partitions=[orders-1],txnLastUpdateTimestamp=1,txnTimeoutMs=9\n"
    "transactionalId=pay-1 payload: producerId:7,producerEpoch:0,state=Ongoing,partitions=[orders-0],"
    "txnLastUpdateTimestamp=1,txnTimeoutMs=9\n"
    "transactionalId=pay-1 payload: producerId:7,producerEpoch:0,state=CompleteCommit,partitions=[],"
    "txnLastUpdateTimestamp=2,txnTimeoutMs=9\n"
)
HOUR = 3_600_000
MARKED = f"8\t0\t0\t3\t{START_MS + HOUR}\tNone\n"
"""A row of another producer, whose marker tells when the leader was asked."""
LISTED = (
    "$ kafka-transactions.sh list\nTransactionalId\tCoordinator\tProducerId\tTransactionState\npay-1\t1\t7\tOngoing\n"
)
PASTES = {
    "lagging": LAGGING,
    "standing": LAGGING + STANDING,
    "lagging, by rpk": BY_RPK,
    "listed alone": OPEN.format("b") + MARKED + LISTED,
    "listed alone, young": OPEN.format("b") + MARKED.replace(str(START_MS + HOUR), str(START_MS + 60_000)) + LISTED,
    "leaderless": DESCRIBED,
    "both leaderless": DESCRIBED.replace("Leader: 1", "Leader: -1"),
    "lags without a leader": TABLE + "readers orders 0 2 3 1\nreaders orders 1 2 90 88\n" + DESCRIBED,
    "lags by markers": TABLE + "readers orders 0 2 3 1\nreaders orders 1 2 90 88\n",
    "one marker": TABLE + "readers orders 0 2 3 1\n",
    "shared addresses": OPEN.format("prod")
    + OPEN.format("other").replace("other:9092", "other:9092,third:9092")
    + OPEN.format("prod").replace("prod:9092", "Prod:9092,other:9092"),
    "lone states": LONE_STATES,
    "led elsewhere": DESCRIBED + DESCRIBED.replace("none", "3"),
    "denied": OPEN.format("b") + DENIED,
    "two addresses": OPEN.format("prod") + OPEN.format("staging"),
    "one address": OPEN.format("prod") + OPEN.format("prod"),
    "own machine": OPEN.format("prod") + OPEN.format("localhost"),
}
LOG = "0..1 data p7e0 s0 @100\n2 COMMIT p7e0 @310"


@judged_together
def documents():
    pastes = {name: {"paste.txt": text} for name, text in PASTES.items()}
    return pastes | {"beside its log": taken_at("11:00:00") | {"paste.txt": LAGGING} | dumps_of({"orders-0": LOG})}


def notes(document, kind):
    return [(note["note"], note["fetch"]) for note in document["coverage"]["notes"] if note["kind"] == kind]


def asked(document):
    return list(questions(document["log_lines"]["lines"], UNKNOWN))


def steps(document):
    parts = log_lines(document, Clock()).blocks[-1]
    return [(step.text, [one.text for one in step.commands]) for step in parts if isinstance(step, Step)]


def test_a_group_that_lags_names_what_to_ask(documents):
    assert all("--topic orders --partition 0" in command for command in asked(documents["lagging"]))
    assert "describe-producers" in asked(documents["lagging"])[1]


def test_rpk_is_asked_only_what_it_can_answer(documents):
    document = documents["lagging, by rpk"]
    assert list(questions(document["log_lines"]["lines"], reach_of(document))) == [
        "rpk cluster txn describe-producers --topics orders --partitions 0"
    ]


@pytest.mark.parametrize(("name", "verdict"), [("listed alone", "undecided"), ("listed alone, young", "in_flight")])
def test_what_runs_for_longer_than_any_timeout_is_not_called_in_flight_by_a_list(documents, name, verdict):
    [row] = documents[name]["open_transactions"]
    assert (row["verdict"], row["transactional_id"], documents[name]["findings"]) == (verdict, "pay-1", [])
    assert ("describe for pay-1" in (row.get("fetch") or "")) == (verdict == "undecided")


def test_a_group_that_stands_is_asked_about_first(documents):
    assert "--topic orders --partition 1" in asked(documents["standing"])[0]


def test_where_its_log_is_here_that_tells_what_a_group_waits_for(documents):
    assert "log_lines" not in documents["beside its log"]


@pytest.mark.parametrize(("name", "partitions"), [("lags by markers", [1]), ("one marker", [0])])
def test_a_lag_of_one_offset_is_asked_about_only_if_there_is_no_other(documents, name, partitions):
    commands = asked(documents[name])
    assert commands == [one for one in commands if any(f"--partition {number}" in one for number in partitions)] != []


def test_a_leader_comes_before_every_question_about_what_hangs(documents):
    [(told, [command])] = steps(documents["lags without a leader"])
    assert told.startswith("bring back a leader for orders-1 first (broker 2 or 3)")
    assert "kafka-topics.sh" in command
    assert "--topic orders" in command


@pytest.mark.parametrize(
    ("name", "text", "fetch"),
    [
        ("leaderless", "orders-1 has no leader (paste.txt:3): nobody", "a leader for orders-1 first (broker 2 or 3)"),
        (
            "both leaderless",
            "orders-0, orders-1 have no leader (the first in",
            "a leader for orders-0, orders-1 first;",
        ),
    ],
)
def test_a_partition_without_a_leader_is_named(documents, name, text, fetch):
    [told] = notes(documents[name], "no_leader")
    assert told[0].startswith(text)
    assert told[1].startswith(fetch)
    assert documents[name]["verdict"] == "inconclusive"


def test_a_partition_that_another_paste_has_led_is_not(documents):
    assert not notes(documents["led elsewhere"], "no_leader")


def test_a_refused_command_is_no_dump_that_failed(documents):
    [(text, fetch)] = notes(documents["denied"], "cut_dump")
    assert text.startswith("a tool printed an error in the place of an answer: paste.txt, line 5: ")
    assert "dump" not in text + fetch
    assert [row["verdict"] for row in documents["denied"]["open_transactions"]] == ["undecided"]


@pytest.mark.parametrize(
    ("name", "count"),
    [("two addresses", 1), ("one address", 0), ("own machine", 0), ("shared addresses", 0)],
)
def test_answers_that_may_be_of_two_clusters_are_said_to_be_judged_as_one(documents, name, count):
    found = notes(documents[name], "several_addresses")
    assert len(found) == count
    assert all("prod:9092, staging:9092" in text for text, _ in found)


def test_records_cut_out_of_a_state_partition_are_told_with_whom_to_ask(documents):
    [(told, fetch)] = notes(documents["lone states"], "unplaced_dump")
    assert told.endswith("the last one here of pay-2 says Ongoing of orders-1, of pay-1 says CompleteCommit")
    assert fetch.index("describe --transactional-id pay-2") < fetch.index("describe --transactional-id pay-1")
    assert documents["lone states"]["verdict"] == "inconclusive"
