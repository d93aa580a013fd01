"""The answer of `who` as text."""

from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.lookups.shown.lines import MARGIN, evidence, next_steps, table, told
from analyzer.report.actions.reached import reach_of
from analyzer.report.sentences.cells import name, visible, wrap
from analyzer.report.sentences.commands import place_options
from analyzer.report.sentences.quantities import counted, duration, span
from analyzer.report.sentences.times import Clock

Row = Mapping[str, Any]

SAID = {
    "committed": "COMMITTED", "aborted": "ABORTED", "open": "OPEN", "unknown": "UNKNOWN", "plain": "NOT TRANSACTIONAL",
    "control": "CONTROL RECORD", "not here": "NOT HERE",
}  # fmt: skip


def who_text(answer: Row, clock: Clock, case: str) -> str:
    """Return what each copy of the partition says of the record: the judged one in full, the others in one line."""
    lines = [f"{name(answer['topic'])}-{answer['partition']}@{_at(answer, clock)}  in {name(answer['capture'], 60)}"]
    first, *others = answer["copies"]
    lines += _copy(first, clock)
    lines += _others(first, others, clock)
    lines += next_steps(answer["next"], place_options(case, answer["capture"]), reach_of(answer))
    return "".join(f"{line}\n" for line in lines)


def _at(answer: Row, clock: Clock) -> str:
    offset, time_ms = answer["asked"]["offset"], answer["asked"]["time_ms"]
    return str(offset) if offset is not None else clock.moment(time_ms)


def _copy(copy: Row, clock: Clock) -> Iterator[str]:
    at = "" if copy["offset"] is None else f"offset {copy['offset']}, "
    yield from wrap(f"{SAID[copy['outcome']]}: {visible(clock.said(copy, 'why')).rstrip('.')}.")
    yield ""
    judged = "the replica judged" if copy["judged"] else "not the replica judged"
    bounds = copy["bounds"]
    yield from told("log", f"{at}replica {name(copy['replica'])} ({judged}), {_bounds(bounds)}")
    if "batch" not in copy:
        return
    yield from told("readers", _readers(copy["visible"], clock))
    yield from _batch(copy["batch"], clock)
    yield from _contents(copy["contents"])
    yield from _transaction(copy["transaction"], clock)
    yield from _findings(copy["findings"])
    yield from evidence(copy["evidence"])


def _bounds(bounds: Row) -> str:
    words = {"log_start_offset": "start", "lso": "LSO", "log_end_offset": "end"}
    return ", ".join(f"{words[one]} {bounds[one] if bounds[one] is not None else 'not known'}" for one in words)


def _readers(visible_to: Row, clock: Clock) -> str:
    word = {True: "read_committed is given it", False: "read_committed is not given it"}
    said = word.get(visible_to["read_committed"], "whether read_committed is given it is not known")
    since = visible_to["since_ms"]
    dated = "" if since is None or visible_to["since_offset"] is None else f", {clock.moment(since)}"
    return f"{said}: {visible(clock.said(visible_to, 'why'))}{dated}"


def _batch(batch: Row, clock: Clock) -> Iterator[str]:
    records = "records not counted" if batch["count"] is None else counted(batch["count"], "record")
    parts = [f"offsets {span(batch['base_offset'], batch['last_offset'])}", records]
    if batch["sequence"] is not None:
        parts.append(f"sequence {batch['sequence']} of {span(batch['base_sequence'], batch['last_sequence'])}")
    if batch["partition_leader_epoch"] is not None:
        parts.append(f"leader epoch {batch['partition_leader_epoch']}")
    if batch["max_timestamp"] is not None:
        parts.append(f"{batch['timestamp_type'] or 'time'} {clock.moment(batch['max_timestamp'])}")
    if batch["crc_valid"] is False:
        parts.append("its checksum is wrong")
    yield from told("batch", ", ".join(parts))
    if batch["producer_id"] is not None and batch["producer_id"] >= 0:
        yield from told("producer", f"id {batch['producer_id']}, epoch {batch['producer_epoch']}")


def _contents(contents: Row | None) -> Iterator[str]:
    if contents is None:
        return
    if contents["kind"] == "group position":
        place = f"{name(contents['topic'] or '')}-{contents['partition']}"
        said = "deletes" if contents["tombstone"] else f"sets to {contents['committed_offset']}"
        yield from told("position", f"{contents['standing']}: group {name(contents['group'] or '')} {said} {place}")
        return
    said = "tombstone" if contents["tombstone"] else f"{contents['state']}, producer {contents['producer_id']}"
    parts = ", ".join(map(visible, contents["partitions"] or ()))
    yield from told(
        "state", f"{name(contents['transactional_id'] or '')}: {said}{f', partitions {parts}' if parts else ''}"
    )


def _transaction(txn: Row | None, clock: Clock) -> Iterator[str]:
    if txn is None:
        return
    whose = txn["transactional_id"]
    owner = "transactional id not known" if whose is None else f"transactional id {name(whose, 60)}"
    yield from told("transaction", f"{owner}, producer {txn['producer_id']}, epoch {txn['producer_epoch']}")
    if txn.get("verdict") is not None:
        yield from told("verdict", " ".join(filter(None, (txn["verdict"], txn["finding"]))))
    newest = txn.get("newest")
    if newest is not None:
        said = "a tombstone" if newest["tombstone"] else newest["state"]
        yield from told("coordinator", f"its newest record of the id is {said}, {_moment(newest['timestamp'], clock)}")
    if txn["decision"] is not None:
        yield from told("coordinator", _decided(txn, clock))
    yield from table(
        ("PARTITION", "REPLICA", "OFFSETS", "RECORDS", "OUTCOME", "MARKER"),
        [_part(part, clock) for part in txn["partitions"]], right=(3,),
    )  # fmt: skip
    if txn.get("partitions_left_out"):
        yield f"{MARGIN}and {txn['partitions_left_out']} more"
    if missing := txn.get("partitions_not_here"):
        yield from told("not here", "its list also names " + ", ".join(name(one) for one in missing))


def _decided(txn: Row, clock: Clock) -> str:
    begun = "" if txn["begun_ms"] is None else f"begun {clock.moment(txn['begun_ms'])}, "
    done = "not completed in the files here"
    if txn["completed_ms"] is not None:
        done = f"completed after {duration(max(0, txn['completed_ms'] - txn['decided_ms']))}"
    return f"{begun}{txn['decision']} decided {_moment(txn['decided_ms'], clock)}, {done}"


def _moment(time_ms: int | None, clock: Clock) -> str:
    return "at an unknown time" if time_ms is None else clock.moment(time_ms)


def _part(part: Row, clock: Clock) -> tuple[str, ...]:
    marker = "none here"
    if part["marker_offset"] is not None:
        at = "" if part["marker_ms"] is None else f", {clock.moment(part['marker_ms'])}"
        marker = f"{part['marker_offset']}{at}"
    records = "-" if part["records"] is None else str(part["records"])
    place = f"{name(part['topic'])}-{part['partition']}"
    replica = name(part["replica"]) + ("" if part["judged"] else " (other)")
    return place, replica, span(part["first_offset"], part["last_offset"]), records, part["outcome"], marker


def _findings(findings: list[Row]) -> Iterator[str]:
    for one in findings:
        yield from told("finding", f"{one['id']} {one['name']} ({one['confidence']}): {visible(one['headline'])}")


def _others(first: Row, others: list[Row], clock: Clock) -> Iterator[str]:
    if others:
        yield ""
        yield "Other replicas"
    for copy in others:
        same = "the same" if copy["outcome"] == first["outcome"] else "OTHERWISE"
        said = f"{SAID[copy['outcome']]} ({same}): {visible(clock.said(copy, 'why'))}"
        yield from wrap(said, first=f"{MARGIN}{name(copy['replica'])}  ", rest=MARGIN * 2)
