"""What a report says of partitions whose replicas differ in what is open while nobody knows which of them leads."""

from collections.abc import Iterator

from analyzer.report.document.types import Document, Partition
from analyzer.report.sentences.cells import name, visible
from analyzer.report.sentences.quantities import counted


def if_it_leads(document: Document, place: tuple[str, int]) -> str:
    """Return where the LSO stands and what waits for each replica that may lead: `broker 0: LSO 64, 7 records wait`."""
    told = "; ".join(f"broker {visible(one['replica'])}: {_stands(one)}" for one in _claimants(document, place))
    return f"{name(place[0])}-{place[1]}, by who leads: {told}"


def stuck_if(document: Document, place: tuple[str, int]) -> list[str]:
    """Return the brokers that leave the partition stuck if they lead."""
    return [visible(one["replica"]) for one in _claimants(document, place) if one["lso"] < one["log_end_offset"]]


def _claimants(document: Document, place: tuple[str, int]) -> Iterator[Partition]:
    rows = (one for one in document["partitions"] if (one["topic"], one["partition"]) == place)
    yield from (one for one in rows if one.get("contested"))


def _stands(one: Partition) -> str:
    waits = one["blocked_records"] or 0
    if one["lso"] >= one["log_end_offset"]:
        return f"LSO {one['lso']}, nothing waits"
    return f"LSO {one['lso']}, {counted(waits, 'record')} {'waits' if waits == 1 else 'wait'}"
