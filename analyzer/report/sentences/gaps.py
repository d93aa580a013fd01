"""What a capture does not show: missing files, checks that did not run, and what to fetch next."""

from collections import Counter
from collections.abc import Iterable

from analyzer.report.document.types import Document, OpenTransaction, Partition
from analyzer.report.sentences.cells import name, visible
from analyzer.report.sentences.quantities import counted, few, span

_NAMED = 3


def gaps(document: Document) -> list[tuple[str, str]]:
    """Return what the capture does not show, and what to fetch: one for all places of which notes say the same."""
    places: dict[tuple[str, str], list[str]] = {}
    for note in document["coverage"]["notes"]:
        place = _place(note.get("topic"), note.get("partition"), note.get("replica")) or note.get("file") or ""
        places.setdefault((note["note"], note.get("fetch") or ""), []).append(place)
    named = {told: _few(found) for told, found in places.items()}
    return [(visible(note) + (f" ({some})" if some else ""), visible(fetch)) for (note, fetch), some in named.items()]


def checks_not_run(document: Document) -> list[tuple[str, str]]:
    """Return (reason, codes) for the checks that were skipped or failed, one for each reason."""
    codes: dict[str, list[str]] = {}
    for run in document["detector_runs"]:
        if run["status"] != "ran":
            reason = run.get("reason") or "no reason given"
            codes.setdefault(f"failed: {reason}" if run["status"] == "failed" else reason, []).append(run["code"])
    return [(visible(reason), ", ".join(map(visible, found))) for reason, found in codes.items()]


def next_to_fetch(undecided: Iterable[OpenTransaction]) -> str:
    """Return how many transactions are undecided and the next file to fetch: the one that settles most; or nothing.

    As git bisect does: after each step, what is left and what to do next.
    """
    opened = list(undecided)
    if not opened:
        return ""
    wanted = Counter(one.get("fetch") or "" for one in opened)
    wanted.pop("", None)
    if not wanted:
        return f"Undecided: {len(opened)}. No file is known that would settle this."
    best = max(wanted.items(), key=lambda item: item[1])[0]
    settled = _few(f"{one['topic']}-{one['partition']}" for one in opened if one.get("fetch") == best)
    rest = f", then {counted(len(wanted) - 1, 'more file')}" if len(wanted) > 1 else ""
    return f"Undecided: {len(opened)}. Next: {visible(best)} (settles {settled}){rest}."


def open_words(one: OpenTransaction) -> str:
    """Return one open transaction: partition, offsets, producer, id."""
    place = name(f"{one['topic']}-{one['partition']}")
    owner = one.get("transactional_id")
    epoch = one.get("producer_epoch")
    producer = f"producer {one['producer_id']}" + ("" if epoch is None else f" epoch {epoch}")
    return f"{place}  {span(one['first_offset'], one['last_offset'])}  {producer}{'  ' + name(owner) if owner else ''}"


def _place(topic: str | None, partition: int | None, replica: str | None) -> str:
    """Return `orders-0 of broker 1`, as far as it is known."""
    if topic is None:
        return "" if replica is None else f"broker {replica}"
    place = topic if partition is None else f"{topic}-{partition}"
    return place if replica is None else f"{place} of broker {replica}"


def _few(places: Iterable[str]) -> str:
    """Return the first three different places by name and the number of the others."""
    different = [name(place, 60) for place in dict.fromkeys(places) if place]
    return few(different, _NAMED if len(different) > _NAMED + 1 else len(different))


def if_it_leads(document: Document, place: tuple[str, int]) -> str:
    """Return where the LSO stands and what waits for each replica that may lead: `broker 0: LSO 64, 7 records wait`."""
    rows = (one for one in document["partitions"] if (one["topic"], one["partition"]) == place)
    told = "; ".join(f"broker {visible(one['replica'])}: {_stands(one)}" for one in rows if one.get("contested"))
    return f"{name(place[0])}-{place[1]}, by which broker leads: {told}"


def _stands(one: Partition) -> str:
    waits = one["blocked_records"] or 0
    if one["lso"] >= one["log_end_offset"]:
        return f"LSO {one['lso']}, nothing waits"
    return f"LSO {one['lso']}, {counted(waits, 'record')} {'waits' if waits == 1 else 'wait'}"
