"""What is asked again and not answered has ended; what a replica answers with --broker-id is not the leader's word."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cluster import START_MS
from judged_together import judged_together
from test_racing_answers import HANGING, named
from test_several_answers import MINUTE, PRODUCERS, coordinator, leader

ABORTED = "$ kafka-transactions.sh abort --topic orders --partition 0 --start-offset 18\n"
OLD_ABORT = "$ kafka-transactions.sh abort --topic orders --partition 0 --producer-id 7 --producer-epoch 3 --coordinator-epoch 5\n"
"""What brokers before 2.8 need, and newer ones take: it ends whatever the producer has open there."""
AGAIN = f"$ kafka-transactions.sh find-hanging --broker-id 1 --max-transaction-timeout 0\n{HANGING}"
OTHER_ROW = "8\t0\t3\t5\t1767261600000\tNone\n"
EMPTY = f"$ kafka-transactions.sh describe-producers --topic orders --partition 0\n{PRODUCERS}"


def replica(begin):
    """What describe-producers answers when --broker-id asks a replica."""
    return leader(0, begin).replace("--partition 0", "--partition 0 --broker-id 2")


OTHER = coordinator("CompleteCommit", 30 * MINUTE).replace("pay-1\t7", "pay-2\t8")
LATER = leader(0, 18) + f"9\t0\t3\t5\t{START_MS + 30 * MINUTE}\tNone\n"
WROTE = "On Thu, Jan 1, 2026 at 10:09 AM Bob <bob@example.org> wrote:\n"


def mail(new, old):
    """An answer above the mail that it answers."""
    return f"Hi,\n{new}\n{WROTE}" + "".join(f"> {line}\n" for line in old.splitlines())


def head(sent):
    """What Outlook writes above a mail that it goes on with, whose lines it does not mark."""
    return f"\nFrom: Bob Miller <bob@example.org>\nSent: {sent}\nTo: Ann <ann@example.org>\nSubject: RE: stuck\n\n"


LED_BY_2 = (
    "$ kafka-topics.sh --describe --topic orders\n"
    "Topic: orders\tTopicId: q6ePSKqZTkCBZPVwDhOf7A\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: \n"
    "\tTopic: orders\tPartition: 0\tLeader: 2\tReplicas: 1,2\tIsr: 1,2\tElr: \tLastKnownElr: \n"
)
FENCE = coordinator("PrepareEpochFence", 5_000)

NOT_OPEN = "Could not find any open transactions starting at offset 18 on partition orders-0\n"

NINE, TEN = "Thursday, January 1, 2026 9:54 AM", "Thursday, January 1, 2026 10:54 AM"
GERMAN = "\nVon: Bob Miller\nGesendet: Donnerstag, 1. Januar 2026 09:54\nAn: Ann\nBetreff: AW: Pfropf\n\n"
ORIGINAL = "\n-----Original Message-----\nFrom: Bob Miller\n"
PROPOSED = "kafka-transactions.sh --bootstrap-server b:9092 abort --topic orders --partition 0 --start-offset 18\n"
RUNS = leader(0, 18) + coordinator("Ongoing", 10 * MINUTE)
TERMINATED = "$ kafka-transactions.sh --bootstrap-server b:9092 forceTerminateTransaction --transactionalId pay-1\n"

PASTES = {
    "named once": named(0, 20),
    "named, aborted, asked again": named(0, 20) + ABORTED + AGAIN,
    "named, another broker asked": named(0, 20) + AGAIN.replace("broker-id 1", "broker-id 2"),
    "named, aborted, another broker asked": named(0, 20) + ABORTED + AGAIN.replace("broker-id 1", "broker-id 2"),
    "named, aborted, its leader asked": named(0, 20) + ABORTED + EMPTY + OTHER_ROW,
    "named, another table below": named(0, 20) + HANGING,
    "named, another partition asked": named(0, 20) + EMPTY.replace("partition 0", "partition 1") + OTHER_ROW,
    "open, then asked again": leader(-30 * MINUTE, 18) + EMPTY,
    "open, its replica idle": leader(0, 18) + replica("None"),
    "idle, its replica open": leader(0, "None") + replica(18),
    "its replica open": replica(18),
    "running, another asked later": coordinator("Ongoing", 5_000) + OTHER,
    "decided, another asked later": coordinator("PrepareCommit", 5_000) + OTHER,
    "running, its leader later": coordinator("Ongoing", 5_000) + LATER,
    "running, the next one open later": coordinator("Ongoing", 5_000)
    + LATER.replace(f"{START_MS}\t18", f"{START_MS + 29 * MINUTE}\t90"),
    "named young, another asked later": named(0, 2) + OTHER,
    "it is gone, above the mail": mail(leader(30 * MINUTE, None), leader(0, 18)),
    "it is there again, above the mail": mail(leader(30 * MINUTE, 90), leader(0, None)),
    "it is gone, below the mail": "".join(f"> {line}\n" for line in leader(0, 18).splitlines())
    + leader(30 * MINUTE, None),
    "named at the limit": named(0, 15),
    "a follower names it": LED_BY_2 + named(0, 20),
    "a follower names it, its leader named": LED_BY_2.replace("Leader: 2", "Leader: 1") + named(0, 20),
    "a follower names it, its leader has nothing": LED_BY_2 + EMPTY + OTHER_ROW + named(0, 20),
    "a follower names it, so does its leader": LED_BY_2 + leader(0, 18) + named(0, 20),
    "a follower has it open": LED_BY_2.replace("Leader: 2", "Leader: 1") + replica(18),
    "its leader by --broker-id has nothing": LED_BY_2 + replica("None") + named(0, 20),
    "its leader by --broker-id named it, then has nothing": (
        LED_BY_2.replace("Leader: 2", "Leader: 1") + named(0, 20) + leader(25 * MINUTE, None)
    ),
    "its coordinator answers another word": leader(0, 18) + FENCE,
    "named, an abort finds nothing": named(0, 20) + ABORTED + NOT_OPEN,
    "an abort found nothing, named": ABORTED + NOT_OPEN + named(0, 20),
    "named, an abort of another offset": named(0, 20) + (ABORTED + NOT_OPEN).replace("18", "17"),
    "named, an abort of another partition": named(0, 20) + NOT_OPEN.replace("orders-0", "orders-1"),
    "open, an abort finds nothing": leader(-30 * MINUTE, 18) + NOT_OPEN,
    "an abort finds nothing": NOT_OPEN,
    "named, an abort printed nothing": named(0, 20) + ABORTED + "$ ls\n",
    "named, an abort at the end": named(0, 20) + ABORTED,
    "named, an abort over two lines": named(0, 20) + ABORTED.replace(" abort ", " \\\n  abort ") + "done\n",
    "named, filtered below": named(0, 20) + AGAIN.replace("\n", " | grep -E 'Topic|payments'\n", 1),
    "open, filtered below": leader(-30 * MINUTE, 18) + EMPTY.replace("\n", " | head -1\n", 1),
    "named, asked below by tee": named(0, 20) + AGAIN.replace("\n", " | tee hanging.txt\n", 1),
    "named, an abort refused after other words": named(0, 20)
    + ABORTED
    + 'Defaulted container "kafka" out of: kafka, tls-sidecar\nSLF4J: Class path contains multiple bindings.\n'
    + "ERROR: Failed to abort transaction AbortTransactionSpec(topicPartition=orders-0, producerId=7)\n$ ls\n",
    "named, an abort below other words": named(0, 20)
    + ABORTED
    + 'Defaulted container "kafka" out of: kafka, tls-sidecar\n'
    + EMPTY.replace("partition 0", "partition 1"),
    "named, an old abort": named(0, 20) + OLD_ABORT + "$ ls\n",
    "open, an old abort at the end": leader(-30 * MINUTE, 18) + OLD_ABORT,
    "named, an old abort in PowerShell": named(0, 20)
    + OLD_ABORT.replace("$ kafka-transactions.sh", "PS C:\\kafka\\bin\\windows> .\\kafka-transactions.bat"),
    "named, an old abort in two lines of cmd": named(0, 20)
    + OLD_ABORT.replace("$ kafka-transactions.sh abort", "C:\\kafka>kafka-transactions.bat ^\n  abort"),
    "named, an old abort refused": named(0, 20)
    + OLD_ABORT
    + "ERROR: Failed to abort transaction AbortTransactionSpec(topicPartition=orders-0, producerId=7)\n",
    "old abort, named": OLD_ABORT + "$ ls\n" + named(0, 20),
    "named, an old abort of another producer": named(0, 20) + OLD_ABORT.replace("id 7", "id 8"),
    "named, an abort refused": named(0, 20)
    + ABORTED
    + "Failed to abort transaction AbortTransactionSpec(...): Cluster authorization failed.\n",
    "aborted, named": ABORTED + "$ ls\n" + named(0, 20),
    "named, another aborted": named(0, 20) + ABORTED.replace("18", "17"),
    "gone, above an unmarked mail": f"Hi,\n{EMPTY}{OTHER_ROW}{head(NINE)}{named(0, 20)}",
    "gone, above a German mail": f"{leader(30 * MINUTE, None)}{GERMAN}{leader(0, 18)}",
    "gone, above an original message": f"{leader(30 * MINUTE, None)}{ORIGINAL}{leader(0, 18)}",
    "gone, above what Bob wrote": f"{leader(30 * MINUTE, None)}\n{WROTE}\n{leader(0, 18)}",
    "hangs now, above an unmarked mail": f"{named(0, 20)}{head(NINE)}{AGAIN}",
    "named, an abort is proposed": named(0, 20) + "I would try\n" + PROPOSED + "but please save the records first.\n",
    "named, an abort is proposed at the end": named(0, 20) + PROPOSED,
    "named, an abort is quoted": f"{named(0, 20)}> {PROPOSED}",
    "named, an abort is commented out": f"{named(0, 20)}# {PROPOSED}",
    "named, an abort among answers without prompts": (named(0, 20) + PROPOSED + EMPTY.replace("n 0", "n 1")).replace(
        "$ ", ""
    ),
    "runs, terminated": RUNS + TERMINATED,
    "runs, terminated over two lines": RUNS + TERMINATED.replace(" force", " \\\n  force") + "$ ls\n",
    "decided, terminated": RUNS.replace("Ongoing", "PrepareAbort") + TERMINATED,
    "runs, termination refused": RUNS + TERMINATED + "Failed to force terminate the transaction: not authorized\n",
    "runs, termination proposed": RUNS + "you may use\n" + TERMINATED.removeprefix("$ "),
    "runs, another id terminated": RUNS + TERMINATED.replace("pay-1", "pay-2"),
    "terminated, runs": TERMINATED + RUNS,
    "named, terminated": named(0, 20) + TERMINATED,
    "hangs now, below an earlier mail": f"{head(NINE)}{AGAIN}{head(TEN)}{named(0, 20)}",
    "gone, below an earlier mail": f"{head(NINE)}{named(0, 20)}{head(TEN)}{EMPTY}{OTHER_ROW}",
}


@judged_together
def documents():
    return {name: {"paste.txt": text} for name, text in PASTES.items()}


def found(document):
    return [(one["code"], one["confidence"]) for one in document["findings"]]


def opened(document):
    return [(one["first_offset"], one["verdict"]) for one in document["open_transactions"]]


@pytest.mark.parametrize(
    "name",
    [
        "named, aborted, asked again",
        "named, aborted, its leader asked",
        "open, then asked again",
        "named, an abort finds nothing",
        "open, an abort finds nothing",
        "named, an abort printed nothing",
        "named, an abort at the end",
        "named, an abort over two lines",
        "named, aborted, another broker asked",
        "named, an old abort",
        "open, an old abort at the end",
        "named, an old abort in PowerShell",
        "named, an old abort in two lines of cmd",
        "named, asked below by tee",
        "named, an abort below other words",
        "named, an abort among answers without prompts",
    ],
)
def test_what_the_next_answer_does_not_have_hangs_no_more(documents, name):
    document = documents[name]
    assert (found(document), opened(document)) == ([], [(18, "undecided")])
    assert "that answer does not have it" in document["open_transactions"][0]["why"]
    assert document["verdict"] == "inconclusive"


@pytest.mark.parametrize(
    "name",
    [
        "named once",
        "named, another broker asked",
        "named, another partition asked",
        "named, another table below",
        "an abort found nothing, named",
        "named, an abort of another offset",
        "named, an abort of another partition",
        "named, filtered below",
    ],
)
def test_another_question_says_nothing_of_it(documents, name):
    assert found(documents[name]) == [("TXN013", "likely")]


def test_a_replica_does_not_speak_for_the_leader(documents):
    assert opened(documents["open, its replica idle"]) == [(18, "undecided")]
    document = documents["idle, its replica open"]
    assert opened(document) == []
    assert document["verdict"] == "inconclusive"
    told = (
        "broker 2 has a transaction of producer 7 open in orders-0 since offset 18, which the leader's answer has not"
    )
    assert told in json.dumps(document["coverage"])


def test_a_replica_alone_is_better_than_nobody(documents):
    assert opened(documents["its replica open"]) == [(18, "undecided")]


def test_an_answer_is_of_its_own_moment(documents):
    """What a coordinator said five seconds after the begin is not half an hour old because another id was asked then."""
    assert found(documents["running, another asked later"]) == []
    assert found(documents["decided, another asked later"]) == [("TXN006", "possible")]
    assert found(documents["named young, another asked later"]) == [("TXN013", "likely")]
    assert found(documents["named at the limit"]) == [("TXN013", "likely")]


def test_a_later_answer_of_the_leader_shows_how_long_it_is_open(documents):
    (finding,) = documents["running, its leader later"]["findings"]
    assert (finding["code"], finding["confidence"]) == ("TXN001", "certain")
    assert "29 min over its timeout" in finding["headline"]
    document = documents["running, the next one open later"]
    assert (found(document), opened(document)) == ([], [(90, "in_flight")])


@pytest.mark.parametrize(
    ("name", "open_now"),
    [
        ("it is gone, above the mail", []),
        ("it is there again, above the mail", [(90, "undecided")]),
        ("it is gone, below the mail", []),
    ],
)
def test_what_is_quoted_is_older_than_its_answer(documents, name, open_now):
    """Mail stands above what it answers as often as below: the marks of quoting tell, not the order of lines."""
    assert opened(documents[name]) == open_now


@pytest.mark.parametrize("name", ["gone, above an unmarked mail", "gone, below an earlier mail"])
def test_what_an_older_mail_named_does_not_hang_any_more(documents, name):
    assert (found(documents[name]), opened(documents[name])) == ([], [(18, "undecided")])


@pytest.mark.parametrize(
    "name", ["gone, above a German mail", "gone, above an original message", "gone, above what Bob wrote"]
)
def test_the_mail_on_top_has_the_last_word(documents, name):
    assert (found(documents[name]), opened(documents[name])) == ([], [])


@pytest.mark.parametrize("name", ["hangs now, above an unmarked mail", "hangs now, below an earlier mail"])
def test_an_older_mail_without_it_does_not_end_what_hangs_now(documents, name):
    """Mail goes on with the older one below; one that was saved in its order tells that by its dates."""
    assert found(documents[name]) == [("TXN013", "likely")]


def test_what_a_follower_names_is_less_sure_than_the_leaders_word(documents):
    """find-hanging --broker-id asks that broker for each partition of which it has a replica, whoever leads."""
    (finding,) = documents["a follower names it"]["findings"]
    assert (finding["code"], finding["confidence"]) == ("TXN013", "likely")
    assert "broker 1, a follower of orders-0, has" in json.dumps(finding)
    assert "another broker leads orders-0" in json.dumps(finding)
    assert found(documents["a follower names it, its leader named"]) == [("TXN013", "likely")]
    assert found(documents["a follower names it, so does its leader"]) == [("TXN013", "likely")]


@pytest.mark.parametrize(
    "name", ["a follower names it, its leader has nothing", "its leader by --broker-id has nothing"]
)
def test_what_only_a_follower_names_does_not_hang_yet(documents, name):
    document = documents[name]
    assert (found(document), opened(document), document["verdict"]) == ([], [], "inconclusive")
    assert "broker 1 has a transaction of producer 7 open in orders-0 since offset 18" in json.dumps(document)


def test_what_the_leader_named_by_its_number_and_has_no_more_is_no_replicas_word(documents):
    document = documents["its leader by --broker-id named it, then has nothing"]
    assert (found(document), opened(document)) == ([], [])
    assert "it hangs once that broker leads" not in json.dumps(document)


def test_a_follower_is_not_called_the_leader(documents):
    (row,) = documents["a follower has it open"]["open_transactions"]
    assert row["why"].startswith("broker 2 answered for orders-0, which another broker leads,")


def test_a_coordinator_that_answered_another_state_was_asked(documents):
    (row,) = documents["its coordinator answers another word"]["open_transactions"]
    assert "its coordinator answered PrepareEpochFence, which tells neither" in row["why"]


def test_what_an_abort_answers_is_read_by_itself(documents):
    document = documents["an abort finds nothing"]
    assert (found(document), document["verdict"], document["unparsed"]["lines"]) == ([], "inconclusive", 0)


@pytest.mark.parametrize(
    "name",
    [
        "named, an abort refused",
        "aborted, named",
        "named, another aborted",
        "named, an old abort refused",
        "named, an abort refused after other words",
        "old abort, named",
        "named, an old abort of another producer",
        "named, an abort is proposed",
        "named, an abort is proposed at the end",
        "named, an abort is quoted",
        "named, an abort is commented out",
        "named, terminated",
    ],
)
def test_an_abort_that_ended_nothing_of_it_changes_nothing(documents, name):
    assert found(documents[name]) == [("TXN013", "likely")]


@pytest.mark.parametrize("name", ["runs, terminated", "runs, terminated over two lines", "decided, terminated"])
def test_what_its_coordinator_was_told_to_end_does_not_run_any_more(documents, name):
    """What an id runs ends in all its partitions by forceTerminateTransaction (KIP-939), which prints nothing."""
    document = documents[name]
    assert (found(document), opened(document)) == ([], [(18, "undecided")])
    assert "was told below that to end what pay-1 runs" in document["open_transactions"][0]["why"]
    assert document["verdict"] == "inconclusive"


@pytest.mark.parametrize(
    "name",
    ["runs, termination refused", "runs, termination proposed", "runs, another id terminated", "terminated, runs"],
)
def test_what_nobody_told_its_coordinator_to_end_is_over_its_timeout(documents, name):
    assert found(documents[name]) == [("TXN001", "certain")]


def test_what_grep_left_out_is_not_gone(documents):
    """An answer that went through another program shows what is in it, and not that something else is not."""
    assert found(documents["open, filtered below"]) == []
    assert opened(documents["open, filtered below"]) == [(18, "undecided")]
    assert "it has most likely ended" not in documents["open, filtered below"]["open_transactions"][0]["why"]
