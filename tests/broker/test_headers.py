"""The headers of tables of groups are those of the classes that print them: all their columns, in their order."""

import sys
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from messages import texts

from analyzer.parse.small_files.admin_tables import Tables

CONSUMER = "org/apache/kafka/tools/consumer/group/ConsumerGroupCommand$ConsumerGroupService.class"
SHARE = "org/apache/kafka/tools/consumer/group/ShareGroupCommand$ShareGroupService.class"
STREAMS = "org/apache/kafka/tools/streams/StreamsGroupCommand$StreamsGroupService.class"
POSITION, OF_SHARE, SILENT = "group_position", "share_position", "nothing"
HEADERS = (
    (CONSUMER, ("3.9.1", "4.1.1", "4.3.0"), "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG", POSITION),
    (CONSUMER, ("4.1.1", "4.3.0"), "GROUP TOPIC PARTITION LEADER-EPOCH CURRENT-OFFSET LOG-END-OFFSET LAG", POSITION),
    (SHARE, ("4.1.1", "4.3.0"), "GROUP TOPIC PARTITION LEADER-EPOCH START-OFFSET", OF_SHARE),
    (SHARE, ("4.1.1", "4.3.0"), "GROUP TOPIC PARTITION START-OFFSET", OF_SHARE),
    (SHARE, ("4.3.0",), "GROUP TOPIC PARTITION LEADER-EPOCH START-OFFSET LAG", OF_SHARE),
    (SHARE, ("4.1.1", "4.3.0"), "GROUP COORDINATOR_(ID) STATE #MEMBERS", SILENT),
    (STREAMS, ("4.1.1", "4.3.0"), "GROUP TOPIC PARTITION OFFSET-LAG", SILENT),
    (STREAMS, ("4.1.1", "4.3.0"), "CURRENT-OFFSET LEADER-EPOCH LOG-END-OFFSET", ""),
    (STREAMS, ("4.1.1", "4.3.0"), "MEMBER PROCESS CLIENT-ID ASSIGNMENTS", ""),
    (STREAMS, ("4.1.1", "4.3.0"), "GROUP COORDINATOR_(ID) STATE #MEMBERS", SILENT),
)
"""Who prints it, in which releases, its columns, what a row below it tells; the last is empty for a part of a header."""
WHOLE = {
    "GROUP TOPIC PARTITION CURRENT-OFFSET LEADER-EPOCH LOG-END-OFFSET OFFSET-LAG": POSITION,
    "GROUP MEMBER PROCESS CLIENT-ID ASSIGNMENTS": SILENT,
}
"""The headers that the two parts above belong to, in which a column stands that an earlier table has named before."""
CASES = [(kind, release, columns) for kind, releases, columns, _ in HEADERS for release in releases]


@pytest.mark.parametrize(("kind", "release", "columns"), CASES)
def test_a_release_prints_this_header(kind, release, columns, request):
    if not request.config.getoption("--kafka"):
        pytest.skip("needs the jars of real Kafka releases: make words, or pytest --kafka")
    from kafka_jars import kafka_jars

    (jar,) = [jar for jar in kafka_jars(release) if jar.name == f"org.apache.kafka_kafka-tools-{release}.jar"]
    with zipfile.ZipFile(jar) as archive:
        named = list(texts(archive.read(kind)))
    assert set(columns.replace("_", " ").split(" ")) <= {word for text in named for word in (text, *text.split(" "))}
    rare = [one for one in columns.split() if one not in {"GROUP", "TOPIC", "PARTITION", "STATE", "#MEMBERS"}]
    places = [named.index(one.replace("_", " ")) for one in rare]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("columns", "tells"), [*((columns, tells) for _, _, columns, tells in HEADERS if tells), *WHOLE.items()]
)
def test_a_header_is_read(columns, tells):
    tables = Tables("")
    assert tables.take("  ".join(columns.split()).replace("_", " ")) is True
    row = {"GROUP": "my group", "TOPIC": "orders", "PARTITION": "3", "CURRENT-OFFSET": "17", "START-OFFSET": "17"}
    told = tables.take("  ".join(row.get(one, "5") for one in columns.split()))
    if tells in {POSITION, OF_SHARE}:
        assert isinstance(told, tuple)
        assert told[:5] == (tells, "orders", 3, "my group", 17)
    else:
        assert told is True
