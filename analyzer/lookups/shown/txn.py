"""The answer of `txn` as text: odd transactions one by one, runs of the others in a line each where there are many."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analyzer.lookups.shown.lines import MARGIN, next_steps, table, told
from analyzer.report.sentences.cells import name, visible, wrap
from analyzer.report.sentences.commands import place_options
from analyzer.report.sentences.quantities import counted, duration, span
from analyzer.report.sentences.times import Clock

Row = Mapping[str, Any]

FOLDED_FROM = 30
"""With so many transactions or more, runs of those with nothing odd are one line each."""
LEAST_RUN = 3
MOST_LOGS, MOST_CHANGES = 8, 20


def txn_text(answer: Row, clock: Clock, case: str) -> str:
    """Return the life of an id: what is known of it, what changed, its transactions, and the next steps."""
    whose = ", ".join(name(one, 60) for one in answer["transactional_ids"]) or "no transactional id known"
    producers = ", ".join(map(str, answer["producer_ids"][:10])) or "none"
    lines = [f"{whose}  in {name(answer['capture'], 60)}", *told("producers", producers)]
    lines += told("transactions", _counts(answer))
    if answer["latency_ms"] is not None:
        some = answer["latency_ms"]
        last = f"median {duration(max(0, some['median']))}, longest {duration(max(0, some['longest']))}"
        lines += told("last marker", f"after the decision: {last}")
    for one in answer["findings"]:
        lines += told("finding", f"{one['id']} {one['name']} ({one['confidence']}): {visible(one['headline'])}")
    for one in answer["open"]:
        at = f"{name(one['topic'])}-{one['partition']}, offsets {span(one['first_offset'], one['last_offset'])}"
        lines += told("open now", f"{at}: {one['verdict']}: {visible(clock.said(one, 'why'))}")
    lines += _changes(answer["changes"], clock)
    lines += _transactions(answer["transactions"], clock)
    lines += _left_out(answer)
    lines += next_steps(list(_next(answer)), place_options(case, answer["capture"]))
    return "".join(f"{line}\n" for line in lines)


def _counts(answer: Row) -> str:
    return ", ".join(f"{number:,} {word}" for word, number in answer["outcomes"].items()) or "none"


def _changes(found: Sequence[Row], clock: Clock) -> Iterator[str]:
    if found:
        yield ""
        yield "What changed"
    for one in found[:MOST_CHANGES]:
        yield from wrap(
            f"{_moment(one['timestamp'], clock)}  {one['kind']}: {one['said']}", first=MARGIN, rest=MARGIN * 2
        )
    if found[MOST_CHANGES:]:
        yield f"{MARGIN}and {len(found) - MOST_CHANGES} more"


def _transactions(every: Sequence[Row], clock: Clock) -> Iterator[str]:
    if not every:
        return
    yield ""
    yield "Transactions"
    many = len(every) >= FOLDED_FROM
    for odd, run in itertools.groupby(every, key=lambda one: bool(one["odd"])):
        several = list(run)
        if many and not odd and len(several) >= LEAST_RUN:
            yield from wrap(_run(several, clock), first=MARGIN, rest=MARGIN * 2)
            continue
        for one in several:
            yield from _one(one, clock, short=many and not odd)


def _run(several: Sequence[Row], clock: Clock) -> str:
    words = {
        word: sum(one["outcome"] == word for one in several) for word in sorted({one["outcome"] for one in several})
    }
    said = ", ".join(f"{number:,} {word}" for word, number in words.items())
    moments = [one["begun_ms"] for one in several if one["begun_ms"] is not None]
    when = f"{clock.moment(min(moments))} to {clock.moment(max(moments))}" if moments else "at unknown times"
    return f"... {counted(len(several), 'transaction')} with nothing odd: {said}, begun {when}"


def _one(one: Row, clock: Clock, *, short: bool) -> Iterator[str]:
    parts = [f"{one['number']:>5}  {one['outcome'].upper():<9} begun {_moment(one['begun_ms'], clock)}"]
    if one["begun_ms"] is not None and one["decided_ms"] is not None:
        parts.append(f"decided after {duration(max(0, one['decided_ms'] - one['begun_ms']))}")
    if one["latency_ms"] is not None:
        parts.append(f"last marker {duration(max(0, one['latency_ms']))} later")
    parts.append(f"producer {one['producer_id']}, epoch {one['producer_epoch']}")
    yield from wrap(", ".join(parts), first=MARGIN, rest=" " * 9)
    for said in one["odd"]:
        yield from wrap(f"! {visible(said)}", first=" " * 9, rest=" " * 11)
    if short:
        return
    judged = [log for log in one["logs"] if log["judged"]]
    yield from (f"{' ' * 7}{line}" for line in table((), [_log(log) for log in judged[:MOST_LOGS]]))
    if judged[MOST_LOGS:]:
        yield f"{' ' * 9}and {counted(len(judged) - MOST_LOGS, 'more partition')}"
    if one["not_here"]:
        yield from wrap(
            f"not here: {', '.join(name(place) for place in one['not_here'])}", first=" " * 9, rest=" " * 11
        )


def _log(log: Row) -> tuple[str, ...]:
    place = f"{name(log['topic'])}-{log['partition']}"
    records = "no data here" if log["records"] is None else counted(log["records"], "record")
    marker = "no marker here"
    if log["marker_offset"] is not None:
        marker = f"{log['marker'] or 'marker'} at {log['marker_offset']}"
    return place, span(log["first_offset"], log["last_offset"]), records, marker


def _left_out(answer: Row) -> Iterator[str]:
    if answer["left_out"]:
        yield f"{MARGIN}{answer['left_out']:,} more are left out: --limit 0 shows all, --odd the odd ones first"
    if answer["outside"]:
        yield f"{MARGIN}{answer['outside']:,} outside of the time asked for"


def _next(answer: Row) -> Iterator[Row]:
    for one in answer["findings"][:5]:
        yield {"for": f"what to do about {one['id']}", "explain": one["id"]}
    last = next((one for one in reversed(answer["transactions"]) if one["logs"]), None)
    log = next((log for log in last["logs"] if log["first_offset"] is not None), None) if last else None
    if log is not None:
        yield {"for": "one of its records", "who": f"{log['topic']}-{log['partition']}@{log['first_offset']}"}


def _moment(time_ms: int | None, clock: Clock) -> str:
    return "at an unknown time" if time_ms is None else clock.moment(time_ms)
