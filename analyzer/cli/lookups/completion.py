"""What a shell completes for look-ups: ids, partitions and offsets worth a look, topics and captures of the case."""

from collections.abc import Callable, Iterable

import typer

from analyzer.errors import ForensicsError
from analyzer.lookups.asking import Asking, asking
from analyzer.lookups.place import partitions_of
from analyzer.report.sentences.cells import is_safe
from analyzer.storage.locations import needs_no_session
from analyzer.storage.reading.tables import Stored, tables_of_folder

MOST = 1_000
"""Words that a shell is given at most."""


def whose(context: typer.Context, incomplete: str) -> list[str]:
    """Return the transactional ids of the case that begin like this."""
    return _of_capture(context, incomplete, _ids)


def places(context: typer.Context, incomplete: str) -> list[str]:
    """Return the partitions that begin like this with `@` after them, or the offsets worth a look of one of them."""
    return _of_capture(context, incomplete, _records if "@" in incomplete else _places)


def topics(context: typer.Context, incomplete: str) -> list[str]:
    """Return the topics and partitions that begin like this."""
    return _of_capture(context, incomplete, _topics)


def captures(context: typer.Context, incomplete: str) -> list[str]:
    """Return the captures of the case that begin like this."""
    read = _reader(context)
    return [] if read is None else _matching(read("captures", (), ["capture"])["capture"].to_pylist(), incomplete)


def _reader(context: typer.Context) -> Stored | None:
    """Return how to read the case of a command line that is being typed; None where that would take a session."""
    location = context.params.get("case")
    return tables_of_folder(location) if location and needs_no_session(location) else None


def _of_capture(context: typer.Context, incomplete: str, words: Callable[[Asking, str], Iterable[str]]) -> list[str]:
    """Return the words of the capture that begin like this: none where there is no case, and no message either."""
    read = _reader(context)
    if read is None:
        return []
    try:
        asked = asking(read, context.params.get("capture"), str(context.params["case"]))
        return _matching(words(asked, incomplete), incomplete)
    except ForensicsError:
        return []


def _matching(words: Iterable[str], incomplete: str) -> list[str]:
    """Return those that begin like this and that a shell carries safely, each once, in order."""
    found = {word for word in words if word.startswith(incomplete) and is_safe(word)}
    return sorted(found)[:MOST]


def _ids(asked: Asking, _: str) -> Iterable[str]:
    named: list[str | None] = (
        asked.table("id_txns", columns=["transactional_id"])["transactional_id"].unique().to_pylist()
    )
    return (one for one in named if one is not None)


def _places(asked: Asking, _: str) -> Iterable[str]:
    return (f"{place}@" for place in partitions_of(asked))


def _records(asked: Asking, incomplete: str) -> Iterable[str]:
    """Yield where transactions are open, and where readers stop, of the partition that is being typed."""
    place = incomplete.rpartition("@")[0]
    for name, column in (("open_transactions", "first_offset"), ("partition_health", "lso")):
        for row in asked.few(name):
            if f"{row['topic']}-{row['partition']}" == place and row[column] is not None:
                yield f"{place}@{row[column]}"


def _topics(asked: Asking, _: str) -> Iterable[str]:
    return (word for place in partitions_of(asked) for word in (place, place.rpartition("-")[0]))
