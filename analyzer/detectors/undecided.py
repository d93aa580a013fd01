"""Why the files cannot judge an open transaction, and which file would settle it: words for each `standing`."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from analyzer.kafka.admin_tools import describe_producers
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.transaction_states import UNTELLING
from analyzer.tables import NO_REPLICA
from analyzer.tables.moments import moment

Row = Mapping[str, Any]


INSTEAD = (
    "or the answers of kafka-transactions.sh describe-producers, list, and describe of the id with that producer id"
)
"""What settles an open transaction where most of the coordinator's partitions are not here (RULES F 2 to F 4)."""


class Words(NamedTuple):
    """The reason, and what to fetch."""

    why: str
    fetch: str


def undecided(row: Row, who: str) -> Words:
    """Return the reason and what to fetch; `row` is one of `open_rows`, `who` the transactional id or producer."""
    told = _told(row, who)
    return _unled(row, told) if row.get("unled_by") else told


def _told(row: Row, who: str) -> Words:
    words = WORDS.get(row["standing"], UNCLEAR)
    if not isinstance(words, Words):
        return words(row, who)
    given = {name: moment(value) if name.endswith("_ms") else value for name, value in row.items()}
    return Words(*(part.format_map({**given, "who": who, "place": _place(row)}) for part in words))


def _place(row: Row) -> str:
    return f"{row['topic']}-{row['partition']}"


def _unled(row: Row, told: Words) -> Words:
    """Return the words where the partition has no leader: nobody answers for it before it has one."""
    since = f" since {moment(row['unled_ms'])}" if row["unled_ms"] is not None else ""
    text = (
        f"{told.why}; {_place(row)} has no leader{since} ({row['unled_by']}): nobody answers for it, and no marker can "
        "be written to it"
    )
    held = f", broker {row['held_by'].replace(',', ' or ')}" if row["held_by"] else ""
    return Words(text, f"a leader for {_place(row)} first{held}; then {told.fetch}")


def _asked_coordinator(row: Row, who: str) -> Words:
    """Return the words where a coordinator answered, and the partition's leader did not: one answer settles it."""
    ask = describe_producers(row["topic"], row["partition"]) or "kafka-transactions.sh describe-producers"
    text = (
        f"its coordinator answered that {who} is {row['told_state']} ({row['told_by']}), but nobody asked the leader "
        f"of {_place(row)} what is open there now; no record of {who} in {STATE_TOPIC} is here"
    )
    ends = "" if row["told_state"] in _UNDER_WAY else ": if it still has it open, it hangs"
    return Words(text, f"the answer of {ask}, from offset {row['first_offset']} of producer {row['producer_id']}{ends}")


def _no_record(row: Row, who: str) -> Words:
    if row.get("told_by"):
        return _asked_coordinator(row, who)
    if not row["missing_states"]:
        return Words(f"no record of {who} in __transaction_state", "a copy of __transaction_state of the same moment")
    if row.get("served_by"):
        fitting = ",".join(str(one) for one in row["served_by"])
        return Words(
            f"no record of {who} here; by the coordinator epochs of its markers it is in {STATE_TOPIC}-{fitting}",
            f"{STATE_TOPIC}-{fitting if len(row['served_by']) == 1 else '{' + fitting + '}'}",
        )
    more = ", ..." if row["missing_states"] > len(row["missing_some"].split(",")) else ""
    ask = f"{{{row['missing_some']}{more}}}" + (f"; {INSTEAD}" if more else "")
    return Words(f"no record of {who} here: {_missing(row)}", f"{STATE_TOPIC}-{ask}")


def _missing(row: Row) -> str:
    """Say how many state partitions are missing, as far as anything tells how many there are."""
    if row["state_count_told"]:
        return f"{row['missing_states']} of {row['state_count']} state partitions are missing"
    here = row["state_count"] - row["missing_states"]
    read = {0: "no state partition is", 1: "1 state partition is"}.get(here, f"{here} state partitions are")
    return f"{read} read here, and nothing tells how many there are"


def _older_copy(row: Row, who: str) -> Words:
    if row["completed_ms"] is None:
        told = f"the {row['decision']} of {who} was decided at {moment(row['decided_ms'])}"
    else:
        told = f"the {row['decision']} of {who} was complete at {moment(row['completed_ms'])}: its marker was written"
    return Words(f"{told}, and this copy of the partition may end before the marker", f"a newer copy of {_place(row)}")


def _answered(row: Row, who: str) -> Words:
    ask = "list and describe --transactional-id of kafka-transactions.sh"
    if row["follower"] is None:
        by = f"the leader of {_place(row)} answered"
    else:
        by = f"broker {row['follower']} answered for {_place(row)}, which another broker leads,"
        ask = f"describe-producers of its leader, and of {ask}"
    if row["told_state"] is None:
        return Words(f"{by} that {who} is open; its coordinator was not asked", f"the answers of {ask}")
    text = (
        f"{by} that {who} is open; its coordinator answered {row['told_state']}, which tells neither that the "
        "transaction runs nor that it is over"
    )
    whole = "by a tool of the brokers' release" if row["told_state"] in UNTELLING else "whole: this one may be cut off"
    return Words(text, f"a new answer of {ask}, {whole}")


def _over(row: Row, who: str) -> Words:
    if row.get("ahead_on") is not None:
        whose = "another" if row["ahead_on"] == NO_REPLICA else f"broker {row['ahead_on']}'s"
        text = (
            f"{whose} copy of {_place(row)} was made later than the leader's: it goes on, with a marker of {who}, so "
            "that this transaction has ended since"
        )
        return Words(text, f"a newer copy of {_place(row)} from its leader, which has that marker")
    text = (
        f"an answer from after this copy of {_place(row)} shows that this transaction of {who} is not open any more: "
        "it has ended since"
    )
    return Words(text, f"a newer copy of {_place(row)}, which has its marker")


_UNDER_WAY = frozenset({"Ongoing", "PrepareCommit", "PrepareAbort"})
_ID_STATE = f"the id's {STATE_TOPIC} partition"
UNCLEAR = Words(
    "the partitions of {who}'s transactions are not all known here", f"an older copy of its {STATE_TOPIC} partition"
)
WORDS: dict[str, Words | Callable[[Row, str], Words]] = {
    "no_record": _no_record,
    "older_copy": _older_copy,
    "unknown_epoch": Words(
        "epoch {highest_data_epoch} is above {highest_epoch}, the highest that the coordinator gave {who}",
        f"a newer copy of {_ID_STATE}",
    ),
    "older_state": Words("the state files end before this data of {who}", f"a newer copy of {STATE_TOPIC}"),
    "undated": Words(
        "records of {who} bear times from before its transaction began, so that nothing tells when this data came: the "
        "state files may end before it",
        f"a newer copy of {STATE_TOPIC}",
    ),
    "committed": Words(
        "the newest record of {who} says Ongoing, but another partition has a COMMIT marker of this transaction: do "
        "not abort it; the record of the decision is newer than these files, or was lost",
        f"a newer copy of {_ID_STATE}, from its leader",
    ),
    "cut_off": Words(
        f"a copy of {{who}}'s {STATE_TOPIC} partition says COMMIT in records that a newer leader epoch cut off: do not "
        "abort it; the client may have been told that it is committed",
        f"every other copy of {_ID_STATE}",
    ),
    "lost_epoch": Words(
        f"epoch {{highest_data_epoch}} of {{who}} stands only in records of its {STATE_TOPIC} partition that a newer "
        "leader epoch cut off: its coordinator has forgotten this transaction",
        "a newer copy of {place}: if the transaction is still open in it, it hangs",
    ),
    "cut_state": Words(
        f"records are missing from every copy of {{who}}'s {STATE_TOPIC} partition: what it did last is not known",
        f"a whole copy of {_ID_STATE}",
    ),
    "shared": Words(
        "producer id {producer_id} has several transactional ids: whose data this is, and whether that was committed, "
        "no file tells; do not abort it before both were looked at",
        "the answers of describe --transactional-id of kafka-transactions.sh for each of them",
    ),
    "no_log": Words(
        "only a producer snapshot of {place} is here: {who} was open when it was taken, from offset {first_offset}",
        "the segments of {place} from offset {first_offset} on",
    ),
    "resting": Words(
        "{who} has been idle since {rest_ms} ({rest_state}), but this copy of {place} is not proven to be newer: if "
        "the transaction is still open in a new one, it hangs",
        "a newer copy of {place}",
    ),
    "gone": Words(
        "only a producer snapshot shows it: its data from offset {first_offset} on is not in these files",
        "the segment of {place} that holds offset {first_offset}, or its log start offset",
    ),
    "contradicted": Words(
        "only a producer snapshot of {place} has it open; in the log here, nothing that {who} wrote from offset "
        "{first_offset} on is open: snapshot and log are of two moments or copies. Do not abort it: readers would lose "
        "what was committed from there on",
        "the answer of describe-producers for {place}, or its log and newest snapshot of one moment",
    ),
    "disputed": Words(
        "replicas disagree whether it is open, and nothing here shows which of them leads",
        "kafka-topics.sh --describe --topic {topic}, which names the leader",
    ),
    "over": _over,
    "unread": Words(
        "offsets from {unread_offset} on are not in the files that are here: {who}'s marker may be there",
        "the segment of {place} that holds offset {unread_offset}, and all after it",
    ),
    "answered unknown": _answered,
    "answered untimed": Words(
        "its coordinator answered that {who} is running, by a list that tells neither its timeout nor when it began; "
        "its last batch is older than transaction.max.timeout.ms",
        "the answer of kafka-transactions.sh describe for {who}",
    ),
    "answered older": Words(
        "the leader of {place} answered that {who} is open; its coordinator answered that it runs, and later that it "
        "is over, and nothing tells which of these is older than the leader's",
        "a new answer of describe-producers for {place}",
    ),
    "answered recent": Words(
        "the leader of {place} answered that {who} is open, its coordinator that it runs no such transaction; but it "
        "was written to within seconds of that: it may have ended, or begun, between the two answers",
        "new answers of describe-producers for {place} and of describe, a minute later",
    ),
    "answered silent": Words(
        "the leader of {place} answered that {who} is open, and not every coordinator answered ({silent_by}): "
        "find-hanging names what such a one runs, too. Do not abort it: it may be decided COMMIT, and its marker is "
        "written when its coordinator is back",
        "a leader for each partition of __transaction_state first; then, as a user who may describe every id, new "
        "answers of list, describe and find-hanging",
    ),
    "answered terminated": Words(
        "its coordinator answered {told_state} for {who}, and was told below that to end what {who} runs "
        "(forceTerminateTransaction, no error): it has most likely ended since",
        "new answers of describe-producers for {place} and of describe",
    ),
    "answered unshown": Words(
        "what showed {who} open in {place} was asked again, and that answer does not have it, or an abort of it was "
        "typed below: it has most likely ended since",
        "a new answer of describe-producers for {place}",
    ),
}
"""The reason and what to fetch, by `standing`: with fields of the row, `who` and `place`; times are moments."""
