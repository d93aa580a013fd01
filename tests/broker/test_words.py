"""The words of every known line of a log are in the jars of the releases that the table of lines names, and only there."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "parse"))

from messages import has_message, texts, texts_of_classes
from test_logs import LINES, MORE_LINES
from wordings import ALL, OLDER, RELEASES, Wording

from analyzer.kafka.log_lines import registry as log_patterns
from analyzer.kafka.log_lines.pattern import OTHER

NAMES = list(RELEASES)


def between(first: str, last: str) -> list[str]:
    return NAMES[NAMES.index(first) : NAMES.index(last) + 1]


def as_claimed(found: list[str]) -> str:
    """Return the words of the table for releases that follow one another."""
    assert found == between(found[0], found[-1])
    return f"{found[0]} to {found[-1]}" if found[0] == NAMES[0] or found[-1] != NAMES[-1] else f"from {found[0]}"


def fits(wording: Wording, line: str) -> bool:
    """Return whether a line is one of this wording: the words of each message in their order."""
    return all(re.search(".*".join(map(re.escape, words)).replace("\x01", ".*"), line) for words in wording.messages)


def known_lines() -> list[tuple[str, str]]:
    return [(says, line) for says, (line, _) in LINES.items()] + [(says, line) for says, line, _ in MORE_LINES]


def test_the_table_names_the_releases_of_the_wordings():
    for pattern in log_patterns.ALL:
        having = {name for one in ALL if one.says == pattern.says for name in between(one.first, one.last)}
        claimed = {as_claimed([name for name in NAMES if name in having])} if having else set()
        others = {one.kafka for one in log_patterns.ALL if one.says == pattern.says} - {OTHER}
        assert others == claimed, pattern.says


def test_every_wording_has_a_line_that_is_read():
    for wording in ALL:
        assert [line for says, line in known_lines() if says == wording.says and fits(wording, line)], wording


def test_every_line_of_kafka_has_a_wording():
    for says, line in known_lines():
        pattern, _ = log_patterns.first_fit(line)
        if pattern.kafka != OTHER:
            having = any(one.says == says and fits(one, line) for one in ALL)
            assert having != any(words in line for words in OLDER), line


def test_the_constants_of_a_class():
    long = b"\x05" + bytes(8)
    code = b"\xca\xfe\xba\xbe\0\0\0\x41\0\x06" + b"\x01\0\x05to \x01\x02" + long + b"\x08\0\1" + b"\x01\0\x03a b"
    assert list(texts(code)) == ["to \x01\x02", "a b"]
    assert has_message(["Moved \x01 to \x01"], ["Moved ", " to "])
    assert has_message(["Moved ", " to "], ["Moved ", " to "])
    assert not has_message(["Moved {}", "{} to {}"], ["Moved ", " to "])


@pytest.mark.parametrize("release", NAMES)
def test_the_jars_have_the_words_that_are_claimed_and_no_others(release, request):
    if not request.config.getoption("--kafka"):
        pytest.skip("needs the jars of real Kafka releases: make words, or pytest --kafka")
    from kafka_jars import kafka_jars

    wanted = {words for wording in ALL for words in wording.messages}
    found: set[tuple[str, ...]] = set()
    for said in texts_of_classes(jar for jar in kafka_jars(RELEASES[release]) if "org.apache.kafka" in jar.name):
        found |= {words for words in wanted - found if has_message(said, words)}
    have = [wording for wording in ALL if found.issuperset(wording.messages)]
    claimed = [wording for wording in ALL if release in between(wording.first, wording.last)]
    assert [one for one in claimed if one not in have] == []
    assert [one for one in have if one not in claimed] == []
