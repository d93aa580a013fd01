"""A paste says the same in every layout: whatever copied it put something before its lines, or changed characters."""

import html
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.opening import read_line
from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.tables import NO_EVIDENCE

sys.path.insert(0, str(Path(__file__).parent))

from conftest import rows_by_table
from printing import Batch, Record, forged_batch, forged_record, printed

FOUND = (
    "Topic                  Partition   ProducerId  ProducerEpoch   CoordinatorEpoch  StartOffset LastTimestamp   Duration(min)\n"
    "events                 27          171100      1               4                 913095344   1716642854560   209793\n"
)
PRODUCERS = (
    "$ kafka-transactions.sh --bootstrap-server b:9092 describe-producers --topic orders --partition 3\n"
    "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\t\n"
    "1674\t2\t5\t49\t1716642854560\t548171\t\n1675\t0\t5\t9\t1716642854570\tNone\t\n"
)
BROKER = (
    "[2024-05-25 13:14:14,560] INFO [TransactionCoordinator id=1] Initialized transactionalId pay-1 with producerId 1730 and producer epoch 2 on partition __transaction_state-31 (kafka.coordinator.transaction.TransactionCoordinator)\n"
    "[2024-05-25 13:14:15,560] ERROR [ReplicaManager broker=1] Error processing append operation on partition orders-0 (kafka.server.ReplicaManager)\n"
)
CLIENT = (
    "2024-05-25 13:14:14,560 INFO [Producer clientId=producer-pay-1, transactionalId=pay-1] ProducerId set to 7 with epoch 3\n"
    "2024-05-25 13:14:16,560 INFO [TransactionCoordinator id=0] Completed rollback of ongoing transaction for transactionalId tx's due to timeout\n"
)
GROUPS = "GROUP      TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG\nmy group   orders  3          5               9               4\n"
STATE = (
    "Dumping /logs/__transaction_state-4/00000000000000000000.log\nLog starting offset: 0\n"
    + forged_batch(7, position="0").replace("producerId: 666", "producerId: -1")
    + '\n| offset: 7 CreateTime: 12 keySize: 11 valueSize: 40 sequence: -1 headerKeys: [] key: {"type":"0","data":{"transactionalId":"p<a>y"}} '
    'payload: {"version":"0","data":{"producerId":3,"producerEpoch":1,"transactionTimeoutMs":9,"transactionStatus":1,'
    '"transactionPartitions":[{"topic":"t","partitionIds":[0]}],"transactionLastUpdateTimestampMs":5,"transactionStartTimestampMs":4}}\n'
)
DUMP, _ = printed([Batch([Record("k", "v1"), Record("k", None)]), Batch([], marker="COMMIT")], contents=True)
MANY, _ = printed([Batch([Record("k", f"v{n}") for n in range(5)]), Batch([], marker="COMMIT")], contents=True)
EXCERPT, _ = printed([Batch([Record("k", "v")]), Batch([Record("k", "w")], 8)], contents=False)
LISTED = "$ rpk cluster txn list\nCOORDINATOR  TRANSACTIONAL-ID  PRODUCER-ID  STATE\n0            pay-1             2000         PrepareCommit\n"
STATISTICS = '{"name":"rdkafka#1","client_id":"rdkafka","topics":{"t":{"topic":"t","partitions":{"2":{"partition":2,"hi_offset":9,"ls_offset":7}}}}}\n'
TRACED = "kafka-broker      | org.apache.kafka.common.errors.OutOfOrderSequenceException: Out of order sequence number for producer 1674 at offset 548171 in partition t-0: 51 (incoming seq. number), 49 (current end sequence number)\n"
PASTES = {
    "find-hanging": FOUND, "describe-producers": PRODUCERS, "broker log": BROKER, "client log": CLIENT, "groups": GROUPS,
    "state": STATE, "dump": DUMP, "excerpt": EXCERPT.partition("\n")[2], "table and log": PRODUCERS + BROKER,
    "two tables": FOUND + "\n" + PRODUCERS, "listed": LISTED, "many records": MANY,
}  # fmt: skip
ALONE = {"statistics": STATISTICS, "docker": TRACED}
"""Pastes that have a prefix of their own, or no line that could have one."""


def before(prefix: str) -> Callable[[str], str]:
    """What puts this before each line."""
    return lambda text: "".join(f"{prefix}{line}\n" for line in text.splitlines())


def as_json(name: str) -> Callable[[str], str]:
    return lambda text: "".join(
        json.dumps({"stream": "stdout", name: f"{line}\n", "n": 1}) + "\n" for line in text.splitlines()
    )


def numbered(form: str) -> Callable[[str], str]:
    """What prints each line in this form, with its number."""
    return lambda text: "".join(form.format(at=at, line=line) + "\n" for at, line in enumerate(text.splitlines(), 1))


LAYOUTS = {
    "docker compose": before("broker-1  | "),
    "two containers": lambda text: before("broker-1  | ")(text).replace("broker-1  | ", "broker-10 | ", 1),
    "docker compose in colours": before("\x1b[36mbroker-1  | \x1b[0m"),
    "kubectl --prefix": before("[pod/kafka-0/kafka] "),
    "kubectl --timestamps": before("2024-05-25T13:14:17.999999999Z "),
    "kubectl --prefix --timestamps": before("[pod/kafka-0/kafka] 2024-05-25T13:14:17.999999999Z "),
    "CRI": before("2024-05-25T13:14:17.999999999+00:00 stdout F "),
    "journald": before("Nov 25 00:01:02 host-1 kafka[123]: "),
    "journald, iso": before("2024-05-25T13:14:17+0000 host-1 kafka[123]: "),
    "syslog": before("<134>1 2024-05-25T13:14:17.003Z host app - - - "),
    "stern": before("kafka-0 kafka "),
    "JSON message": as_json("message"),
    "JSON log": as_json("log"),
    "JSON behind a container": lambda text: before("kafka-1  | ")(as_json("log")(text)),
    "Markdown": lambda text: f"```\n{text}```\n",
    "Markdown with text": lambda text: f"This is what it prints:\n\n```text\n{text}```\nAny idea?\n",
    "quoted": before("> "),
    "quoted twice": before("> > "),
    "quoted tightly": before(">> "),
    "e-mail": before("| "),
    "quoted container": before("> broker-1  | "),
    "entities": html.escape,
    "quoted entities": lambda text: html.escape(before("> ")(text)),
    "smart quotes": lambda text: text.replace('"', "\u201d").replace("{\u201d", "{\u201c").replace("'", "\u2019"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "quoted CRLF": lambda text: before("> ")(text).replace("\n", "\r\n"),
    "non-breaking spaces": lambda text: text.replace(" ", "\xa0"),
    "quoted non-breaking spaces": lambda text: before("> ")(text).replace(" ", "\xa0"),
    "numbered by cat -n": numbered("{at:6}\t{line}"),
    "numbered by nl": numbered("{at:6}  {line}"),
    "numbered by less": numbered("{at:7} {line}"),
    "numbered by bat": numbered("{at:4}   \u2502 {line}"),
    "found by grep": numbered("/var/log/kafka/answers-7.txt:{at}:{line}"),
    "of several hosts": before("kafka-1.example.org: "),
    "of a group of hosts": before("[kafka-1] "),
    "a list": before("- "),
    "a numbered list": numbered("{at}. {line}"),
    "in bold": numbered("**{line}**"),
    "as code": numbered("`{line}`"),
    "as monospace": numbered("{{{{{line}}}}}"),
    "paragraphs of a page": lambda text: numbered("<p>{line}</p>")(html.escape(text)),
    "lines of a page": numbered("{line}<br/>"),
    "a viewer of logs": before("2024-05-25 13:14:17.003\t"),
    "logcli": before('2024-05-25T13:14:17+00:00 {app="kafka", pod="kafka-0"} '),
    "colours without their first character": numbered("[0;32m{line}[0m"),
    "colours as they are typed": numbered("^[[32m{line}^[[0m"),
    "strings of a list": lambda text: "".join(f"        {json.dumps(line)},\n" for line in text.splitlines()),
    "cells of a spreadsheet": lambda text: "".join(
        f'2024-05-25T13:14:17.003Z,"{line.replace(chr(34), chr(34) * 2)}"\n' for line in text.splitlines()
    ),
    "JSON of a search": lambda text: "".join(
        json.dumps({"preview": False, "result": {"_raw": line}}) + "\n" for line in text.splitlines()
    ),
    "JSON with the original": lambda text: "".join(
        json.dumps({"event": {"original": line}, "host": {"name": "k"}}) + "\n" for line in text.splitlines()
    ),
    "Markdown of another program": lambda text: text.replace("_", "\\_").replace("[", "\\[").replace("]", "\\]"),
    "entities twice": lambda text: html.escape(html.escape(text)),
    "invisible characters": before("\u200b"),
    "fluentd": lambda text: before("2026-11-25 00:01:02.000000000 +0100 kube.kafka: ")(as_json("log")(text)),
    "Fluent Bit": lambda text: "".join(
        f"[0] kube.kafka: [[1764025262.000000000, {{}}], {line}]\n" for line in as_json("log")(text).splitlines()
    ),
}


ON_ONE_LINE = {
    "on one line": lambda text: text.replace("\t", "\\t").replace("\n", "\\n"),
    "CR alone": lambda text: text.replace("\n", "\r"),
    "JSON of Ansible": lambda text: json.dumps({"changed": True, "rc": 0, "stdout": text, "stderr": ""}),
    "a message of Ansible": lambda text: f"ok: [kafka-1] => {json.dumps({'msg': text}, indent=4)}\n",
    "an export of a chat": lambda text: json.dumps([{"user": "U1", "text": text, "ts": "1.0"}], indent=2),
}
"""Layouts without line ends, or with a few of their own."""

OF_DUMPS = {
    "indented": before("    "),
    "indented a little": before("  "),
    "tabbed": before("\t"),
    "grep -n": lambda text: "".join(f"{at}:{line}\n" for at, line in enumerate(text.splitlines(), 1)),
    "cat -n": lambda text: "".join(f"{at:6}\t{line}\n" for at, line in enumerate(text.splitlines(), 1)),
    "patch": before("+"),
    "spaces behind": lambda text: "".join(f"{line:<400}\n" for line in text.splitlines()),
    "spaces around": lambda text: "".join(f"    {line} \n" for line in text.splitlines()),
    "patch with numbers": lambda text: "".join(f"+{at} {line}\n" for at, line in enumerate(text.splitlines(), 1)),
}


def seen(path: Path) -> dict[str, list[dict]]:
    """What is read from a file found as a command finds it, without where it stands and how it is quoted."""
    rows: dict[str, list[dict]] = {}
    for source in scan_capture(CaptureRequest((str(path),))).sources():
        for table, some in rows_by_table(read_facts(source)).items():
            if table not in ("sections", "unparsed_lines"):
                rows.setdefault(table, []).extend(some)
    apart = {"line", "byte_offset", "marker_line", "marker_byte_offset", "text", "section"}
    return {table: [{k: v for k, v in row.items() if k not in apart} for row in some] for table, some in rows.items()}


@pytest.mark.parametrize("paste", PASTES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_paste_says_the_same_in_every_layout(tmp_path, paste, layout):
    plain, wrapped = tmp_path / "plain.txt", tmp_path / "wrapped.txt"
    plain.write_bytes(PASTES[paste].encode())
    wrapped.write_bytes(LAYOUTS[layout](PASTES[paste]).encode())
    expected = seen(plain)
    assert expected
    assert seen(wrapped) == expected


@pytest.mark.parametrize(
    "paste", ["find-hanging", "describe-producers", "groups", "listed", "two tables", "dump", "state"]
)
@pytest.mark.parametrize("layout", ON_ONE_LINE)
def test_line_ends_that_are_written_in_another_way(tmp_path, paste, layout):
    plain, parted = tmp_path / "plain.txt", tmp_path / "parted.txt"
    plain.write_bytes(PASTES[paste].encode())
    parted.write_bytes(ON_ONE_LINE[layout](PASTES[paste]).encode())
    if layout == "on one line" and paste in {"dump", "state"}:
        assert not seen(parted).get("batches"), "a payload can write such line ends"
    else:
        assert seen(parted) == seen(plain) != {}


def test_a_value_in_json_is_no_dump(tmp_path):
    """What a program exports of its records holds what clients wrote: only a text that is most of a file is a dump."""
    path = tmp_path / "records.json"
    path.write_text(json.dumps([{"value": f"v\n{EXCERPT}"}, {"value": DUMP}, {"value": DUMP}, {"value": DUMP}]))
    assert not [one for one in scan_capture(CaptureRequest((str(tmp_path),))).files if "escaped" in one["encoding"]]
    assert not seen(path).get("batches")


@pytest.mark.parametrize("layout", ["JSON of Ansible", "CR alone"])
def test_where_a_line_stands_in_such_a_text(tmp_path, layout):
    path = tmp_path / "paste.txt"
    path.write_bytes(ON_ONE_LINE[layout](PRODUCERS).encode())
    rows = read(path)["answers"]
    assert [row["quoted"].split()[0] for row in rows] == ["1674", "1675"]


FENCES = {
    "chat": ("```", "```\n"),
    "chat, on their own lines": ("```\n", "\n```\n"),
    "Jira": ("{noformat}", "{noformat}\n"),
    "Jira, with a language": ("{code:bash}", "{code}\n"),
    "page": ("<pre><code class='text'>", "</code></pre>\n"),
    "quoted": ("> ```", "```\n"),
}


@pytest.mark.parametrize(
    "paste", ["find-hanging", "describe-producers", "broker log", "groups", "table and log", "listed", *ALONE]
)
@pytest.mark.parametrize("fence", FENCES)
def test_the_marks_around_a_block_hide_none_of_its_lines(tmp_path, paste, fence):
    """Who copies a message of a chat gets the marks on the first and the last line of the block."""
    plain, fenced = tmp_path / "plain.txt", tmp_path / "fenced.txt"
    text = (PASTES | ALONE)[paste]
    plain.write_text(text)
    begin, end = FENCES[fence]
    fenced.write_text(f"Bob  3:12 AM\n{begin}{text.rstrip()}{end}")
    assert seen(fenced) == seen(plain) != {}


@pytest.mark.parametrize("quoting", ["> ", "> > ", ">> ", "&gt; "])
def test_a_container_that_is_called_like_a_tool_is_no_command(tmp_path, quoting):
    """`> kafka-broker | ...` is a quoted line of docker compose, and no prompt before a command."""
    path = tmp_path / "paste.txt"
    path.write_text(before(quoting)(BROKER + TRACED))
    assert [row["says"] for row in seen(path)["log_lines"]] == ["initialized", "append_failed", "out_of_order"]


def dumped(path: Path) -> list[tuple]:
    """What each dump of a file is of, and how many batches it has."""
    names = ("dumped_topic", "dumped_partition", "segment", "batches", "records", "ending")
    return [
        tuple(row[name] for name in names)
        for source in scan_capture(CaptureRequest((str(path),))).sources()
        for row in rows_by_table(read_facts(source))["sections"]
    ]


MARKED, _ = printed([Batch([Record("k", "v")]), Batch([], marker="ABORT")], contents=False)
FENCED = {
    "state": STATE,
    "ends in a record": EXCERPT,
    "ends in a marker": MARKED,
    "without records": "".join(f"{line}\n" for line in EXCERPT.splitlines() if not line.startswith("|")),
}


@pytest.mark.parametrize("paste", FENCED)
@pytest.mark.parametrize("fence", FENCES)
def test_a_dump_between_marks_keeps_its_partition(tmp_path, paste, fence):
    """Two of them: the marks of the second stand between lines of a dump."""
    text, other = FENCED[paste], FENCED[paste].replace("t-0/", "t-1/")
    plain, fenced = tmp_path / "plain.txt", tmp_path / "fenced.txt"
    plain.write_text(text + other)
    begin, end = FENCES[fence]
    fenced.write_text("".join(f"{begin}{one.rstrip()}{end}" for one in (text, other)))
    assert dumped(fenced) == dumped(plain)
    assert seen(fenced) == seen(plain) != {}


@pytest.mark.parametrize("marked", ["**{}**", "> **{}**", "`{}`"])
def test_first_lines_of_dumps_in_bold(tmp_path, marked):
    """Whoever pastes two dumps makes their first lines stand out."""
    text = EXCERPT + EXCERPT.replace("t-0/", "t-1/")
    plain, bold = tmp_path / "plain.txt", tmp_path / "bold.txt"
    plain.write_text(text)
    firsts = ("Dumping ", "Log starting offset: ")
    lines = text.splitlines()
    bold.write_text("".join(f"{marked.format(one) if one.startswith(firsts) else one}\n" for one in lines))
    assert dumped(bold) == dumped(plain)
    assert seen(bold) == seen(plain) != {}


@pytest.mark.parametrize("paste", ["dump", "excerpt", "state"])
@pytest.mark.parametrize("layout", OF_DUMPS)
def test_a_numbered_dump_says_the_same(tmp_path, paste, layout):
    plain, numbered = tmp_path / "plain.txt", tmp_path / "numbered.txt"
    plain.write_text(PASTES[paste])
    numbered.write_text(OF_DUMPS[layout](PASTES[paste]))
    assert seen(numbered) == seen(plain) != {}


def read(path: Path) -> dict[str, list[dict]]:
    [source] = scan_capture(CaptureRequest((str(path),))).sources()
    facts = rows_by_table(read_facts(source))
    for rows in facts.values():
        for row in rows:
            row["quoted"] = read_line(path, row["byte_offset"], source.compression, source.encoding)
    return facts


OTHER_WORDS = {
    "entities", "quoted entities", "entities twice", "smart quotes", "as monospace", "JSON of a search",
    "JSON with the original", "Markdown of another program", "paragraphs of a page", "strings of a list",
    "Fluent Bit", "fluentd",
}  # fmt: skip
"""Layouts in which a line's own words are not those that stand in the file, or are not as easily found."""


@pytest.mark.parametrize("layout", sorted(set(LAYOUTS) - OTHER_WORDS))
@pytest.mark.parametrize("paste", ["dump", "two tables", "broker log"])
def test_what_is_quoted_stands_in_that_line(tmp_path, paste, layout):
    path = tmp_path / "paste.txt"
    path.write_bytes(LAYOUTS[layout](PASTES[paste]).encode())
    lines = path.read_bytes().decode().split("\n")
    facts = read(path)
    rows = [*facts["batches"], *facts["answers"], *facts["log_lines"]]
    assert rows
    for row in rows:
        line = lines[row["line"] - 1]
        shown = json.loads(line.partition("| ")[2] or line) if line.rstrip().endswith("}") else line
        plain = " ".join((str(shown) if isinstance(shown, str) else str(shown.get("log") or shown["message"])).split())
        assert " ".join(row["quoted"].split()) in (plain if row in facts["batches"] else " ".join(line.split()))


@pytest.mark.parametrize(
    "layout", sorted((set(LAYOUTS) | set(OF_DUMPS) | set(ON_ONE_LINE)) - {"entities", "smart quotes"})
)
@pytest.mark.parametrize("forged", [FOUND, PRODUCERS, BROKER, EXCERPT], ids=["found", "producers", "log", "batches"])
def test_a_payload_forges_nothing_in_any_layout(tmp_path, layout, forged):
    """The payload prints lines of every tool, as they are and in the layout of the paste, and goes on after them."""
    wrap = (LAYOUTS | OF_DUMPS | ON_ONE_LINE)[layout]
    value = f"v\n{forged}{wrap(forged)}w"
    batches = [Batch([Record("k", value)]), Batch([Record("k", "x")], 8), Batch([], 8, "COMMIT")]
    text, expected = printed(batches, contents=True)
    path = tmp_path / "paste.txt"
    for wrapped in (text, wrap(text)):
        path.write_bytes(wrapped.encode())
        if not scan_capture(CaptureRequest((str(tmp_path),))).sources():
            continue
        facts = read(path)
        assert not facts["answers"]
        assert not facts["log_lines"]
        assert not facts["observations"]
        found = [{name: row[name] for name in expected[0]} for row in facts["batches"]]
        assert all(row in expected for row in found)


@pytest.mark.parametrize("layout", ["quoted", "docker compose", "kubectl --timestamps", "stern", "JSON log"])
def test_a_payload_forges_nothing_where_lines_around_it_were_cut_out(tmp_path, layout):
    path = tmp_path / "paste.txt"
    value = f"v\n{FOUND}{PRODUCERS}{BROKER}w"
    text, _ = printed([Batch([Record("k", "x")])] + [Batch([Record("k", value)])] * 3, contents=True)
    lines = text.splitlines(keepends=True)
    records = [number for number, line in enumerate(lines) if line.startswith("| offset: ")]
    for cut in (records[1], records[2]):
        left = "".join(lines[:cut] + lines[cut + 2 :])
        path.write_text(LAYOUTS[layout](left))
        facts = read(path)
        assert facts["batches"]
        assert not facts["answers"]
        assert not facts["log_lines"]


def test_a_line_without_what_stands_before_all_others_is_none_of_the_dump(tmp_path):
    path = tmp_path / "paste.txt"
    shown, _ = printed([Batch([Record("k", "v")]), Batch([Record("k", "w")], 8)], contents=True)
    paste = shown + "plain words\n" * 5_000
    path.write_text(before("> ")(paste) + forged_batch(2, position="9000") + "\n" + forged_record(2) + "\n" + FOUND)
    facts = read(path)
    assert {row["producer_id"] for row in facts["batches"]} == {7, 8}
    assert [row["producer_id"] for row in facts["answers"]] == [171100]
    [row] = [row for row in facts["unparsed_lines"] if row["reason"] != NO_EVIDENCE]
    assert row["line"] == len(paste.splitlines()) + 1


PROMPT = "\x1b]0;kafka@broker-1: ~\x07\x1b[01;32mkafka@broker-1\x1b[00m:\x1b[01;34m~\x1b[00m$ "


def test_prompts_and_colours_of_a_terminal(tmp_path):
    path = tmp_path / "paste.txt"
    log = BROKER.replace("INFO", "\x1b[32mINFO\x1b[m").replace("pay-1", "\x1b[01;31m\x1b[Kpay-1\x1b[m\x1b[K")
    path.write_text(PRODUCERS.replace("$ ", PROMPT).replace("1674", "\x1b[31m1674\x1b[0m") + PROMPT + "\n" + log)
    facts = read(path)
    assert [(row["topic"], row["partition"], row["producer_id"]) for row in facts["answers"]] == [
        ("orders", 3, 1674), ("orders", 3, 1675),
    ]  # fmt: skip
    assert [row["transactional_id"] for row in facts["log_lines"]] == ["pay-1", None]
    assert all(row["text"].isprintable() for table in ("answers", "log_lines") for row in facts[table])
    assert not facts["unparsed_lines"]


FORGED_DUMP = "Dumping /logs/victim-0/00000000000000000000.log\nLog starting offset: 0\n" + forged_batch(
    0, position="0"
)


@pytest.mark.parametrize("layout", sorted(OF_DUMPS))
@pytest.mark.parametrize(
    "value",
    [
        f"v\n\n\n{FORGED_DUMP}\nw",
        "".join(f"{at % 9 + 1}:{line}\n" for at, line in enumerate(f"{FORGED_DUMP}\n".split("\n") * 30)),
    ],
    ids=["blank lines", "most lines of the text"],
)
def test_a_payload_forges_no_partition(tmp_path, layout, value):
    wrap, path = OF_DUMPS[layout], tmp_path / "paste.txt"
    for one in (value, wrap(value)):
        batches = [Batch([Record("k", "x")]), Batch([Record("k", one)]), Batch([Record("k", "x")], 8)]
        text, _ = printed(batches, contents=True)
        for paste in (text, wrap(text)):
            path.write_bytes(paste.encode())
            for source in scan_capture(CaptureRequest((str(tmp_path),))).sources():
                sections = rows_by_table(read_facts(source))["sections"]
                assert [row for row in sections if row["batches"] and row["dumped_topic"] == "victim"] == []


@pytest.mark.parametrize("cell", ["\u200eorders\u200e", "\u202aorders\u202c", "\u2068orders\u2069", "or\u00adders"])
def test_marks_of_direction_around_cells(tmp_path, cell):
    """Windows puts them around what is copied from its windows; at the begin of a line they hid what a text is."""
    header = "TransactionalId\tCoordinator\tProducerId\tTransactionState\t\n"
    text = header + f"\u202a{cell}\t1\t\u200f5017\tOngoing\t\n"
    for before in ("", "\u202a"):
        path = tmp_path / "pasted.txt"
        path.write_text(before + text)
        [source] = scan_capture(CaptureRequest((str(path),))).sources()
        [answer] = rows_by_table(read_facts(source))["answers"]
        assert (answer["transactional_id"], answer["producer_id"]) == ("orders", 5017)


@pytest.mark.parametrize("dash", ["--", "\u2013", "\u2014"])
def test_dashes_of_a_word_processor(tmp_path, dash):
    path = tmp_path / "pasted.txt"
    path.write_text(
        f"$ kafka-transactions.sh {dash}bootstrap-server b:9092 describe-producers {dash}topic \u2018orders\u2019 "
        f"{dash}partition 3\nProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\t"
        "CurrentTransactionStartOffset\t\n5017\t3\t7\t9\t1789880852499\t1042\t\n"
    )
    [source] = scan_capture(CaptureRequest((str(path),))).sources()
    [answer] = rows_by_table(read_facts(source))["answers"]
    assert (answer["topic"], answer["partition"], answer["first_offset"]) == ("orders", 3, 1042)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig"])
def test_encodings_of_windows(tmp_path, encoding):
    """`cmd /u` writes no mark before UTF-16."""
    path = tmp_path / "pasted.txt"
    path.write_bytes(PRODUCERS.encode(encoding))
    [source] = scan_capture(CaptureRequest((str(path),))).sources()
    facts = rows_by_table(read_facts(source))
    assert [(row["partition"], row["first_offset"]) for row in facts["answers"]] == [(3, 548171), (3, None)]
    assert not facts["unparsed_lines"]
