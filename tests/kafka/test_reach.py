"""Commands as they reach somebody's brokers: every shell on the way hands the tool the words that were meant."""

import os
import subprocess

import pytest

from analyzer.errors import UsageError
from analyzer.kafka import admin_tools
from analyzer.kafka.reaching.reach import UNKNOWN, WAY, agreed, given_way, pasted, stored

SHELL = "#!/bin/sh\n"
PROGRAMS = {
    "ssh": 'while [ "${1#-}" != "$1" ]; do shift 2; done; shift; exec sh -c "$*"\n',
    "kubectl": 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"\n',
    "docker": 'shift 2; exec "$@"\n',
    "sudo": 'if [ "$1" = -u ]; then shift 2; fi; exec "$@"\n',
    **dict.fromkeys(
        ("kafka-transactions.sh", "kafka-transactions", "kafka-console-consumer.sh", "kafka-console-consumer", "rpk"),
        "printf '%s\\0' \"$@\"\n",
    ),
}
"""Launchers that hand on their words as the real ones do (ssh joins them for a shell), and tools that print theirs."""
HOSTILE = ("pay $(touch hit) 'x'", "a'b\"c`touch hit`", "> hit", "a; touch hit", "-x\\", "&& touch hit")


@pytest.fixture
def reached(tmp_path):
    """Run a command in a shell and return the words that the tool at its end got."""
    for name, body in PROGRAMS.items():
        (tmp_path / name).write_text(SHELL + body)
        (tmp_path / name).chmod(0o755)

    def run(command: str) -> list[str]:
        path = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "BOOTSTRAP": "own:1"}
        answer = subprocess.run(["sh", "-c", command], capture_output=True, check=True, cwd=tmp_path, env=path)
        assert not (tmp_path / "hit").exists()
        return answer.stdout.decode().split("\0")[:-1]

    return run


WAYS = (
    (None, None, None),
    ("a:9092,b:9092", None, None),
    ("[::1]:9092", "/etc/kafka/client file.properties", None),
    ("localhost:9092", "client.properties", "kubectl exec kafka-0 -n obs -- "),
    ("b:9092", None, "sudo -u kafka docker exec broker kafka-topics"),
    ("b:9092", "c.properties", "ssh me@host"),
    ("b:9092", "c.properties", "ssh -p 22 jump ssh host sudo kubectl exec kafka-0 -- "),
    ("b:9092", None, "ssh host 'sudo docker exec broker '"),
)


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_tool_gets_the_words_that_were_meant(reached, way, name):
    reach = given_way(*way)
    words = reached(reach.command(admin_tools.describe_id(name)))
    brokers, config, _ = way
    given = ["--command-config", config] if config else []
    asked = [f"--transactional-id={name}"] if name.startswith("-") else ["--transactional-id", name]
    assert words == ["--bootstrap-server", brokers or "own:1", *given, "describe", *asked]


@pytest.mark.parametrize("way", [*WAYS, (None, "c.properties", None), (None, "a b.properties", "kubectl exec k -- ")])
def test_a_command_that_goes_this_way_already_stays(way):
    reach = given_way(*way)
    asked = (admin_tools.describe_id("pay-1"), admin_tools.print_range("orders", 0, 1, 2))
    for one in [*asked, asked[1].replace("--property", "--formatter-property")]:
        assert reach.command(reach.command(one)) == reach.command(one)


RPK_WAYS = (
    (None, None, "rpk"),
    ("a:9092,b:9092", None, "rpk"),
    ("b:9092", "c.properties", "kubectl exec redpanda-0 -n rp -c redpanda -- rpk"),
    (None, None, "ssh me@host sudo -u redpanda docker exec rp rpk"),
)


@pytest.mark.parametrize("way", RPK_WAYS, ids=str)
@pytest.mark.parametrize("name", HOSTILE)
def test_rpk_gets_the_words_that_were_meant(reached, way, name):
    brokers = ["-X", f"brokers={way[0]}"] if way[0] else []
    reach = given_way(*way)
    asked = reached(reach.command(admin_tools.describe_id(name)))
    dashed = ["--"] if name.startswith("-") else []
    assert asked == [*brokers, "cluster", "txn", "describe", "--print-partitions", *dashed, name]
    assert stored(reach.told()) == reach


def test_what_rpk_cannot_ask_is_asked_by_the_tools_of_kafka():
    rpk = given_way("h:1", None, "docker exec rp rpk")
    told = "docker exec rp rpk -X brokers=h:1 cluster txn describe-producers --topics t --partitions 3"
    assert rpk.command(admin_tools.describe_producers("t", 3)) == told
    for asked in (admin_tools.abort_at("t", 3, 7), admin_tools.find_hanging("t", 3), admin_tools.force_terminate("x")):
        assert rpk.command(asked) == given_way("h:1", None, None).command(asked)


def test_the_output_lands_in_a_file_of_this_machine(reached, tmp_path):
    reach = given_way("b:9092", "c.properties", "ssh host docker exec broker ")
    assert reached(reach.command(admin_tools.print_range("orders", 0, 3, 9))) == []
    words = (tmp_path / "orders-0-3.txt").read_text().split("\0")
    assert words[:5] == ["--bootstrap-server", "b:9092", "--consumer.config", "c.properties", "--topic"]


@pytest.mark.parametrize(
    ("way", "said"),
    [
        (("host", None, None), "HOST:PORT"),
        (("h:1 --x", None, None), "HOST:PORT"),
        (("$(touch hit):1", None, None), "HOST:PORT"),
        (("h:1\nrm", None, None), "one line"),
        (("h:1", "a\x1bb", None), "one line"),
        (("h:1", "-x", None), "./-NAME"),
        (("h:1", None, "kubectl exec 'kafka-0"), "a quote is not closed"),
        (("h:1", None, "docker exec $POD"), "a shell changes"),
        (("h:1", None, "docker exec k; rm"), "a shell changes"),
        (("h:1", None, "docker exec k rm -rf"), "no launcher"),
        (("h:1", None, "watch kubectl exec k --"), "no launcher"),
        (("h:1", None, "ssh -o ProxyCommand=x host"), "is not known"),
        (("h:1", None, "docker exec k kafka-topics.sh --list"), "follows the tool"),
        ((None, None, "ssh host"), "without --bootstrap"),
    ],
)
def test_what_no_command_can_carry_is_refused(way, said):
    with pytest.raises(UsageError) as fault:
        given_way(*way)
    assert said in fault.value.message()


PASTED = {
    'kubectl exec -it -n obs kafka-0 -- bash -c "unset JMX_PORT && /opt/kafka/bin/kafka-transactions.sh '
    '--bootstrap-server localhost:9092 find-hanging --broker-id 0"': (
        "kubectl exec -n obs kafka-0 -- env -u JMX_PORT /opt/kafka/bin/kafka-topics.sh "
        "--bootstrap-server localhost:9092"
    ),
    "docker exec -it broker kafka-topics --bootstrap-server=b:9092 --describe | grep x": (
        "docker exec broker kafka-topics --bootstrap-server b:9092"
    ),
    "ssh -t me@host 'sudo bin/kafka-topics.sh --command-config ~/c.properties --bootstrap-server b:1,c:1 --list'": (
        "ssh me@host 'sudo bin/kafka-topics.sh --bootstrap-server b:1,c:1 --command-config ~/c.properties'"
    ),
    "oc -n x exec kafka-0 -c kafka -- bin/kafka-topics.sh --bootstrap-server b:9 --list": (
        "oc -n x exec kafka-0 -c kafka -- bin/kafka-topics.sh --bootstrap-server b:9"
    ),
    "kafka-console-consumer --bootstrap-server b:9 --consumer.config c.p --topic t": (
        "kafka-topics --bootstrap-server b:9 --command-config c.p"
    ),
    "rpk cluster txn list": "rpk topic list",
    "kubectl exec -it redpanda-0 -n rp -- rpk cluster txn list -X brokers=h:9 --format json": (
        "kubectl exec redpanda-0 -n rp -- rpk -X brokers=h:9 topic list"
    ),
    "/usr/bin/rpk --brokers h:9,i:9 topic describe t -p": "/usr/bin/rpk -X brokers=h:9,i:9 topic list",
}


@pytest.mark.parametrize("command", PASTED)
def test_a_paste_tells_the_way(command):
    reach = pasted(command)
    assert reach is not None
    assert reach.command(WAY) == PASTED[command]
    assert pasted(PASTED[command]) == reach
    assert stored(reach.told()) == reach


@pytest.mark.parametrize(
    "command",
    [
        "kafka-topics.sh --describe --topic orders",
        "kafka-topics.sh --bootstrap-server $BROKERS --list",
        "kafka-topics.sh --bootstrap-server `touch hit`:9092 --list",
        "kafka-topics.sh --bootstrap-server b:9092;touch hit",
        "kafka-topics.sh --bootstrap-server b:9092 --command-config <(touch hit) --list",
        "kafka-topics.sh --list; --bootstrap-server b:9092",
        "touch hit; kafka-topics.sh --bootstrap-server b:9092",
        "KAFKA_OPTS=-javaagent:x kafka-topics.sh --bootstrap-server b:9092",
        "env KAFKA_OPTS=-javaagent:x kafka-topics.sh --bootstrap-server b:9092",
        "docker -H tcp://evil exec k kafka-topics.sh --bootstrap-server b:9092",
        "docker exec -e KAFKA_OPTS=x k kafka-topics.sh --bootstrap-server b:9092",
        "docker exec k$(touch hit) kafka-topics.sh --bootstrap-server b:9092",
        "ssh -o ProxyCommand=x host kafka-topics.sh --bootstrap-server b:9092",
        "ssh host 'touch hit; kafka-topics.sh --bootstrap-server b:9092'",
        "ssh -i key host kafka-topics.sh --bootstrap-server b:9092",
        "kubectl --kubeconfig x exec k -- kafka-topics.sh --bootstrap-server b:9092",
        "kubectl exec k -- sh -c 'x=1 kafka-topics.sh --bootstrap-server b:9092'",
        "kafka-topics.sh",
        "rpk cluster txn list --brokers $(touch hit):1",
        "docker exec rp$(touch hit) rpk cluster txn list",
        "kafka-topics.bat --bootstrap-server b:9092",
        "kafka-topics.sh --bootstrap-server 'b:9092",
    ],
)
def test_a_paste_that_tells_more_than_a_way_is_not_followed(command):
    assert pasted(command) is None


def test_commands_that_go_different_ways_tell_none():
    one, other = pasted("kafka-topics.sh --bootstrap-server a:1"), pasted("kafka-topics.sh --bootstrap-server b:1")
    assert one is not None
    assert other is not None
    assert agreed([one, one]) == one
    assert agreed([one, other]) == UNKNOWN
    assert agreed([]) == UNKNOWN


def test_what_is_stored_is_checked_again():
    assert stored({"bootstrap": "h:1", "exec": "touch hit; kafka-topics.sh"}) == UNKNOWN
    assert stored({"bootstrap": "h:1; touch hit"}) == UNKNOWN


def test_other_text_stays():
    reach = given_way("h:1", None, None)
    for text in ("txn-forensics rescue --case c", "kafka-dump-log.sh --files x", "see kafka-topics.sh"):
        assert reach.command(text) == text
