"""Why the files cannot judge an open transaction, and which file would settle it: words for each `standing`."""

from collections.abc import Callable, Mapping
from typing import Any

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.tables import NO_REPLICA
from analyzer.tables.moments import moment

Row = Mapping[str, Any]
Words = tuple[str, str]


def undecided(row: Row, who: str) -> Words:
    """Return the reason and what to fetch; `row` is one of `open_rows`, `who` the transactional id or producer."""
    return WORDS.get(row["standing"], _unclear)(row, who)


def _place(row: Row) -> str:
    return f"{row['topic']}-{row['partition']}"


def _no_record(row: Row, who: str) -> Words:
    if not row["missing_states"]:
        return f"no record of {who} in __transaction_state", "a copy of __transaction_state of the same moment"
    if row.get("served_by"):
        fitting = ",".join(str(one) for one in row["served_by"])
        return (
            f"no record of {who} here; by the coordinator epochs of its markers it is in {STATE_TOPIC}-{fitting}",
            f"{STATE_TOPIC}-{fitting if len(row['served_by']) == 1 else '{' + fitting + '}'}",
        )
    more = ", ..." if row["missing_states"] > len(row["missing_some"].split(",")) else ""
    return (
        f"no record of {who} here: {row['missing_states']} of {row['state_count']} state partitions are missing",
        f"__transaction_state-{{{row['missing_some']}{more}}}",
    )


def _unknown_epoch(row: Row, who: str) -> Words:
    given = f"{row['highest_epoch']}, the highest that the coordinator gave {who}"
    text = f"epoch {row['highest_data_epoch']} is above {given}"
    return text, "a newer copy of the id's __transaction_state partition"


def _older_state(_: Row, who: str) -> Words:
    return f"the state files end before this data of {who}", "a newer copy of __transaction_state"


def _undated(_: Row, who: str) -> Words:
    text = (
        f"records of {who} bear times from before its transaction began, so that nothing tells when this data came: "
        "the state files may end before it"
    )
    return text, "a newer copy of __transaction_state"


def _committed(_: Row, who: str) -> Words:
    text = (
        f"the newest record of {who} says Ongoing, but another partition has a COMMIT marker of this transaction: do "
        "not abort it; the record of the decision is newer than these files, or was lost"
    )
    return text, "a newer copy of the id's __transaction_state partition, from its leader"


def _cut_off(_: Row, who: str) -> Words:
    text = (
        f"a copy of {who}'s __transaction_state partition says COMMIT in records that a newer leader epoch cut off: do "
        "not abort it; the client may have been told that it is committed"
    )
    return text, "every other copy of the id's __transaction_state partition"


def _lost_epoch(row: Row, who: str) -> Words:
    text = (
        f"epoch {row['highest_data_epoch']} of {who} stands only in records of its __transaction_state partition that "
        "a newer leader epoch cut off: its coordinator has forgotten this transaction"
    )
    return text, f"a newer copy of {_place(row)}: if the transaction is still open in it, it hangs"


def _cut_state(_: Row, who: str) -> Words:
    text = (
        f"records are missing from every copy of {who}'s __transaction_state partition: what it did last is not known"
    )
    return text, "a whole copy of the id's __transaction_state partition"


def _shared(row: Row, _: str) -> Words:
    text = (
        f"producer id {row['producer_id']} has several transactional ids: whose data this is, and whether that was "
        "committed, no file tells; do not abort it before both were looked at"
    )
    return text, "the answers of describe --transactional-id of kafka-transactions.sh for each of them"


def _older_copy(row: Row, who: str) -> Words:
    if row["completed_ms"] is None:
        told = f"the {row['decision']} of {who} was decided at {moment(row['decided_ms'])}"
    else:
        told = f"the {row['decision']} of {who} was complete at {moment(row['completed_ms'])}: its marker was written"
    return f"{told}, and this copy of the partition may end before the marker", f"a newer copy of {_place(row)}"


def _no_log(row: Row, who: str) -> Words:
    text = (
        f"only a producer snapshot of {_place(row)} is here: {who} was open when it was taken, from offset "
        f"{row['first_offset']}"
    )
    return text, f"the segments of {_place(row)} from offset {row['first_offset']} on"


def _resting(row: Row, who: str) -> Words:
    text = (
        f"{who} has been idle since {moment(row['rest_ms'])} ({row['rest_state']}), but this copy of {_place(row)} is "
        "not proven to be newer: if the transaction is still open in a new one, it hangs"
    )
    return text, f"a newer copy of {_place(row)}"


def _gone(row: Row, _: str) -> Words:
    text = f"only a producer snapshot shows it: its data from offset {row['first_offset']} on is not in these files"
    return text, f"the segment of {_place(row)} that holds offset {row['first_offset']}, or its log start offset"


def _contradicted(row: Row, who: str) -> Words:
    text = (
        f"only a producer snapshot of {_place(row)} has it open; in the log here, nothing that {who} wrote from offset "
        f"{row['first_offset']} on is open: snapshot and log are of two moments or copies. Do not abort it: readers "
        "would lose what was committed from there on"
    )
    return text, f"the answer of describe-producers for {_place(row)}, or its log and newest snapshot of one moment"


def _unread(row: Row, who: str) -> Words:
    text = f"offsets from {row['unread_offset']} on are not in the files that are here: {who}'s marker may be there"
    return text, f"the segment of {_place(row)} that holds offset {row['unread_offset']}, and all after it"


def _over(row: Row, who: str) -> Words:
    if row.get("ahead_on") is not None:
        whose = "another" if row["ahead_on"] == NO_REPLICA else f"broker {row['ahead_on']}'s"
        text = (
            f"{whose} copy of {_place(row)} was made later than the leader's: it goes on, with a marker of {who}, so "
            "that this transaction has ended since"
        )
        return text, f"a newer copy of {_place(row)} from its leader, which has that marker"
    text = (
        f"an answer from after this copy of {_place(row)} shows that this transaction of {who} is not open any more: "
        "it has ended since"
    )
    return text, f"a newer copy of {_place(row)}, which has its marker"


def _disputed(row: Row, _: str) -> Words:
    text = "replicas disagree whether it is open, and nothing here shows which of them leads"
    return text, f"kafka-topics.sh --describe --topic {row['topic']}, which names the leader"


def _answered(row: Row, who: str) -> Words:
    ask = "list and describe --transactional-id of kafka-transactions.sh"
    if row["follower"] is None:
        by = f"the leader of {_place(row)} answered"
    else:
        by = f"broker {row['follower']} answered for {_place(row)}, which another broker leads,"
        ask = f"describe-producers of its leader, and of {ask}"
    if row["told_state"] is None:
        return f"{by} that {who} is open; its coordinator was not asked", f"the answers of {ask}"
    text = (
        f"{by} that {who} is open; its coordinator answered {row['told_state']}, which tells neither that the "
        "transaction runs nor that it is over"
    )
    return text, f"a new answer of {ask}, by a tool of the brokers' release"


def _answered_older(row: Row, who: str) -> Words:
    text = (
        f"the leader of {_place(row)} answered that {who} is open; its coordinator answered that it runs, and "
        "later that it is over, and nothing tells which of these is older than the leader's"
    )
    return text, f"a new answer of describe-producers for {_place(row)}"


def _answered_recent(row: Row, who: str) -> Words:
    text = (
        f"the leader of {_place(row)} answered that {who} is open, its coordinator that it runs no such transaction; "
        "but it was written to within seconds of that: it may have ended, or begun, between the two answers"
    )
    return text, f"new answers of describe-producers for {_place(row)} and of describe, a minute later"


def _answered_unshown(row: Row, who: str) -> Words:
    text = (
        f"what showed {who} open in {_place(row)} was asked again, and that answer does not have it, or an abort of it "
        "was typed below: it has most likely ended since"
    )
    return text, f"a new answer of describe-producers for {_place(row)}"


def _unclear(_: Row, who: str) -> Words:
    return (
        f"the partitions of {who}'s transactions are not all known here",
        "an older copy of its __transaction_state partition",
    )


WORDS: dict[str, Callable[[Row, str], Words]] = {
    "no_record": _no_record,
    "unknown_epoch": _unknown_epoch,
    "older_state": _older_state,
    "undated": _undated,
    "committed": _committed,
    "cut_off": _cut_off,
    "lost_epoch": _lost_epoch,
    "cut_state": _cut_state,
    "shared": _shared,
    "older_copy": _older_copy,
    "no_log": _no_log,
    "resting": _resting,
    "gone": _gone,
    "contradicted": _contradicted,
    "disputed": _disputed,
    "over": _over,
    "unread": _unread,
    "answered unknown": _answered,
    "answered older": _answered_older,
    "answered recent": _answered_recent,
    "answered unshown": _answered_unshown,
}
