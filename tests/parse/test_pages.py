"""Pages that browsers and wikis saved, and mails as their programs keep them: tables row by row, the rest line by line."""

import sys
from email.message import EmailMessage
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import rows_by_table

from analyzer.errors import InputError
from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

COMMAND = "bin/kafka-transactions.sh --bootstrap-server b:9092 find-hanging --broker-id 1"
NAMES = "Topic Partition ProducerId ProducerEpoch CoordinatorEpoch StartOffset LastTimestamp Duration(min)".split()
CELLS = "orders 3 5017 2 7 1042 1789880852499 1200".split()
LOGGED = (
    "[2024-05-25 13:14:14,560] INFO [TransactionCoordinator id=1] Initialized transactionalId pay-tx-1 with producerId 1"
    " and producer epoch 0 on partition __transaction_state-2 (kafka.coordinator.transaction.TransactionCoordinator)"
)


def table(cell: str = "{}", head: str = "th") -> str:
    rows = [(head, NAMES), ("td", CELLS)]
    return "<table>" + "".join(
        "<tr>" + "".join(f"<{tag}>{cell.format(one)}</{tag}>\n" for one in row) + "</tr>" for tag, row in rows
    )


PAGE = "<!DOCTYPE html>\n<html><head><style>td { color: red }</style></head><body><p>{}</p>{}</table><p>What now?</p></body></html>"


def read(tmp_path: Path, text: str | bytes, name: str = "saved.html") -> dict[str, list[dict]]:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return rows_by_table(read_facts(scan_capture(CaptureRequest((str(path),))).sources()[0]))


def told(facts: dict[str, list[dict]]) -> list[tuple]:
    names = ("asked", "topic", "partition", "producer_id", "first_offset", "quoted")
    return [tuple(row[name] for name in names) for row in facts["answers"]]


def page(said: str, rows: str) -> str:
    return PAGE.replace("{}", said, 1).replace("{}", rows, 1)


HANGS = ("find_hanging", "orders", 3, 5017, 1042, None)


@pytest.mark.parametrize("cell", ["{}", "<p>{}</p>", "<div>\n<span>{}</span>&nbsp;</div>", "<strong>{}</strong><br/>"])
@pytest.mark.parametrize("head", ["th", "td"])
def test_a_table(tmp_path, cell, head):
    facts = read(tmp_path, page(COMMAND, table(cell, head)))
    assert told(facts) == [HANGS]
    [asked] = [row for row in facts["observations"] if row["observed"] == "asked_hanging"]
    assert asked["number"] == 1
    assert [row["text"] for row in facts["unparsed_lines"]] == ["What now?"]


def test_a_table_in_a_cell_of_a_layout(tmp_path):
    inside = f"<table><tr><td>logo</td><td>{table()}</table></td></tr>"
    assert told(read(tmp_path, page(COMMAND, inside))) == [HANGS]


def test_text_as_it_stands(tmp_path):
    text = "\t".join(NAMES) + "\n" + "\t".join(CELLS) + "\n"
    assert told(read(tmp_path, page("x", f"<pre class='code'>$ {COMMAND}\n{text}</pre><table>"))) == [HANGS]


def test_lines_of_code_beside_their_numbers(tmp_path):
    lines = "".join(f"<div><code>{one}</code></div>" for one in (LOGGED, LOGGED.replace("tx-1", "tx-2")))
    facts = read(tmp_path, page("x", f"<table><tr><td><div>1</div><div>2</div></td><td>{lines}</td></tr>"))
    assert [row["transactional_id"] for row in facts["log_lines"]] == ["pay-tx-1", "pay-tx-2"]


def test_what_a_mail_quotes_is_older(tmp_path):
    text = page(COMMAND, table() + f"</table><blockquote>{table()}</table></blockquote>")
    assert told(read(tmp_path, text)) == [HANGS, (*HANGS[:-1], 1)]


@pytest.mark.parametrize("encoded", ["quoted-printable", "base64", "8bit"])
@pytest.mark.parametrize("both", [True, False])
def test_a_mail(tmp_path, encoded, both):
    """What is both a page and plain text is read once, what is attached to it as well."""
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "a@example.com", "stuck"
    if both:
        mail.set_content("See the page.")
        mail.add_alternative(page(COMMAND, table()), subtype="html", cte=encoded)
    else:
        mail.set_content(page(COMMAND, table()), subtype="html", cte=encoded)
    mail.add_attachment(f"{LOGGED}\n", filename="server.log")
    facts = read(tmp_path, mail.as_bytes(), "stuck.eml")
    assert told(facts) == [HANGS]
    assert [row["says"] for row in facts["log_lines"]] == ["initialized"]


def test_a_mail_that_is_attached_to_another(tmp_path):
    inner, outer = EmailMessage(), EmailMessage()
    inner.set_content(page(COMMAND, table()), subtype="html")
    outer.set_content("See below.")
    outer.add_attachment(inner)
    assert told(read(tmp_path, outer.as_bytes(), "forwarded.eml")) == [HANGS]


def test_parts_within_parts_without_end(tmp_path):
    nested = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3000))
    with pytest.raises(InputError):
        read(tmp_path, f"MIME-Version: 1.0\n{nested}Content-Type: text/plain\n\nhello\n", "deep.eml")


def test_an_export_of_jira(tmp_path):
    shown = f"&lt;pre&gt;$ {COMMAND}\n" + "\t".join(NAMES) + "\n" + "\t".join(CELLS) + "\n&lt;/pre&gt;"
    text = f"<!-- \nRSS generated by JIRA -->\n<rss version='0.92'><item><title>x</title><description>{shown}</description></item></rss>"
    assert told(read(tmp_path, text, "X-1.xml")) == [HANGS]


def test_no_dump_is_read_from_marks(tmp_path):
    """A payload may write them."""
    batch = (
        "baseOffset: 0 lastOffset: 0 count: 1 baseSequence: 0 lastSequence: 0 producerId: 7 producerEpoch: 0 "
        "partitionLeaderEpoch: 0 isTransactional: true isControl: false position: 0 CreateTime: 1663929000000 size: 78 "
        "magic: 2 compresscodec: none crc: 1 isvalid: true"
    )
    with pytest.raises(InputError):
        read(tmp_path, page("x", f"<div>Dumping orders-0/0.log<br>Starting offset: 0<br>{batch}</div><table>"))


@pytest.mark.parametrize("mark", ["<a ", "<!--", "<", "</", "<tr><td>", "<blockquote>", "<![CDATA[", "&", "<script>"])
def test_marks_without_an_end(tmp_path, mark):
    """Such a page takes no longer than its size: the parser of the standard library looks again and again otherwise."""
    assert told(read(tmp_path, page(COMMAND, f"{table()}</table>") + mark * 100_000)) == [HANGS]
