"""Turns ```history blocks of a page into the dumps that Kafka's tool prints of them, in the file itself.

    python tests/detectors/fill_page.py docs/detectors/NAME.md

A history names a file and its batches; times are milliseconds after 2026-01-01T10:00:00Z:

    orders-0:                          the segment that begins at 0; at 20 is "orders-0 20:"; also "broker-2/orders-0:"
    0..1 data p7e0 s0 @100             also: plain; flags x0 (records left), l1 (leader epoch), lat (LogAppendTime)
    3    idempotent p7e0 s9 @300       data outside of transactions, with a producer id
    4..5 keyed user-1,user-2 p7e0 s9 @350   data with these keys; without p7e0: of no producer id
    2    COMMIT p7e0 @250              flag c1 (coordinator epoch)
    __transaction_state-0:
    0    state pay-1 p7e0 Ongoing orders-0,orders-1 @90        flag t60000 (timeout, ms)
    1    state pay-1 gone @900
    __consumer_offsets-0:
    0..1 commit agg clicks-0=9,clicks-1=8 p7e0 @200            without p7e0: a plain commit
    2    generation agg 3 @300
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from cluster import START_MS
from dump_text import Batch, Commit, Generation, State, log_text

_BLOCK = re.compile(r"^```history\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
_FLAG = re.compile(r"([xlcts@])(-?\d+)|(lat)|p(\d+)e(\d+)")


def filled(page: str) -> str:
    """Return the page with every history block replaced by dump blocks."""
    return _BLOCK.sub(lambda match: "\n".join(_dumps(match[1])), page)


def _dumps(history: str) -> list[str]:
    files: dict[str, list[Batch]] = {}
    path = ""
    for line in filter(None, map(str.strip, history.splitlines())):
        if line.endswith(":"):
            path = _path(line[:-1])
            files[path] = []
        else:
            files[path].append(batch_of(line))
    return [f"`{path}`\n```dump\n{log_text(_raw(path), batches)}```\n" for path, batches in files.items()]


def dumps_of(logs: Mapping[str, str]) -> dict[str, str]:
    """Return the dump of each file of a history by its path; its name as in a history, and the lines of its batches."""
    batches = {_path(name): [batch_of(line) for line in history.splitlines()] for name, history in logs.items()}
    return {path: log_text(_raw(path), ones) for path, ones in batches.items()}


def _path(name: str) -> str:
    log, _, base = name.partition(" ")
    broker, _, folder = log.rpartition("/")
    return f"{broker or 'broker-1'}/{folder}/{int(base or 0):020d}.log.txt"


def _raw(path: str) -> str:
    return "/".join(path.split("/")[-2:]).split(".log")[0] + ".log"


def batch_of(line: str) -> Batch:
    """Return the batch that a line of a history describes."""
    where, kind, *words = line.split()
    first, _, last = where.partition("..")
    flags = {match[1]: int(match[2]) for word in words if (match := _FLAG.fullmatch(word)) and match[1]}
    who = next((match for word in words if (match := _FLAG.fullmatch(word)) and match[4]), None)
    fields = {
        "timestamp": START_MS + flags["@"],
        "timestamp_type": "LogAppendTime" if "lat" in words else "CreateTime",
        "leader_epoch": flags.get("l", 0),
        "count": flags.get("x"),
    }
    if kind == "state":
        return Batch(int(first), int(last or first), state=_state(words, who, flags), **fields)
    if kind == "generation":
        return Batch(int(first), int(last or first), commits=(Generation(words[0], int(words[1])),), **fields)
    if kind == "commit":
        fields["commits"] = tuple(
            Commit(words[0], name, int(position))
            for name, _, position in (w.partition("=") for w in words[1].split(","))
        )
        if who is None:
            return Batch(int(first), int(last or first), **fields)
    if kind == "keyed":
        fields["keys"] = tuple(words[0].split(","))
    if kind == "plain" or (kind == "keyed" and who is None):
        return Batch(int(first), int(last or first), **fields)
    fields |= {
        "producer_id": int(who[4]),
        "producer_epoch": int(who[5]),
        "transactional": kind not in ("idempotent", "keyed"),
    }
    if kind in ("data", "commit", "idempotent", "keyed"):
        return Batch(int(first), int(last or first), sequence=flags.get("s", 0), **fields)
    return Batch(int(first), int(last or first), marker=kind, coordinator_epoch=flags.get("c", 0), **fields)


def _state(words: list[str], who: re.Match[str] | None, flags: dict[str, int]) -> State:
    if who is None:
        return State(words[0])
    partitions = () if _FLAG.fullmatch(words[3]) else tuple(words[3].split(","))
    at = START_MS + flags["@"]
    return State(words[0], int(who[4]), int(who[5]), words[2], partitions, at, flags.get("t", 60_000))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(filled(Path(name).read_text(encoding="utf-8")), encoding="utf-8")
