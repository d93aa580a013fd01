"""A timeline as text, as JSON lines for tools of forensics, and as a trace."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from analyzer.lookups.timeline import Timeline
from analyzer.lookups.trace import Trace
from analyzer.report.sentences.cells import visible, wrap
from analyzer.report.sentences.times import Clock

Row = Mapping[str, Any]
_LATEST_MS = 253_402_300_799_999


def text_lines(told: Timeline, clock: Clock) -> Iterator[str]:
    """Yield a line for each event, then what is left out."""
    for one in told.events:
        where = "" if one.get("file") is None else f"  [{visible(one['file'])}{_line(one)}]"
        said = f"{clock.moment(one['at_ms'])}  {one['source']:<11}  {visible(one['message'])}{where}"
        yield from (f"{line}\n" for line in wrap(said, rest=" " * 8, cells=120))
    yield from (f"{line}\n" for line in left_out(told.left_out, told.undated))


def _line(one: Row) -> str:
    return "" if one.get("line") is None else f":{one['line']}"


def left_out(beyond: Mapping[str, int], undated: Mapping[str, int]) -> Iterator[str]:
    """Yield what an answer does not have: beyond its limit, and without a time."""
    if beyond:
        counts = ", ".join(f"{number:,} {name}" for name, number in beyond.items())
        yield f"left out beyond --limit: {counts}; narrow it with --since, --until, --id or --topic"
    if undated:
        counts = ", ".join(f"{number:,} of {name}" for name, number in undated.items())
        yield f"without a time, so not here: {counts}"


def json_lines(events: Iterable[Row]) -> Iterator[str]:
    """Yield a JSON object a line: message, datetime and timestamp_desc, as Timesketch imports them, and the rest.

    datetime is ISO 8601 in UTC, timestamp the same in microseconds since the epoch.
    """
    for one in events:
        at = one["at_ms"]
        head = {
            "message": one["message"],
            "datetime": iso(at),
            "timestamp_desc": one["timestamp_desc"],
            "timestamp": at * 1000,
        }
        rest = {key: value for key, value in one.items() if key not in {*head, "at_ms"} and value is not None}
        yield json.dumps(head | {"data_type": f"kafka:{one['source']}"} | rest, ensure_ascii=False) + "\n"


def iso(at_ms: int) -> str:
    """Return a moment as ISO 8601 with its zone; one that is no time in years of four digits is cut to them."""
    within = min(max(at_ms, 0), _LATEST_MS)
    return f"{Clock().stamp(within).removesuffix('Z')}000+00:00"


def trace_lines(told: Trace, about: Mapping[str, Any]) -> Iterator[str]:
    """Yield the trace, an event a line; `otherData` says of what it is, and what is left out."""
    yield '{"displayTimeUnit": "ms", "otherData": '
    yield json.dumps(
        {**about, **{f"left out: {name}": number for name, number in told.left_out.items()}}, ensure_ascii=False
    )
    yield ', "traceEvents": [\n'
    last = len(told.events) - 1
    for at, one in enumerate(told.events):
        yield json.dumps(one, ensure_ascii=False) + ("\n" if at == last else ",\n")
    yield "]}\n"
