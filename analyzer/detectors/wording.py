"""The words that findings are made of: numbers, lengths of time, offsets, producers."""


def span(ms: int) -> str:
    """Return a length of time in its two largest units."""
    seconds, rest = divmod(max(ms, 0), 1000)
    if seconds < 1:
        return f"{rest} ms"
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    parts = ((days, "d"), (hour, "h"), (minute, "min"), (second, "s"))
    shown = [f"{value} {unit}" for value, unit in parts if value]
    return " ".join(shown[:2])


def counted(number: int | None, noun: str, plural: str | None = None) -> str:
    """Return "1 record", "3 records", or "an unknown number of records"."""
    several = plural or f"{noun}s"
    if number is None:
        return f"an unknown number of {several}"
    return f"{number:,} {noun if number == 1 else several}"


def by_number(number: int | None, one: str, several: str) -> str:
    """Return the form of a word that goes with so many: "is" or "are"; an unknown number is several."""
    return one if number == 1 else several


def article(decision: str | None) -> str:
    """Return "a COMMIT" or "an ABORT"."""
    return f"{'an' if decision == 'ABORT' else 'a'} {decision}"


def offsets(first: int, last: int | None) -> str:
    """Return "18" or "18..20"."""
    return str(first) if last is None or last == first else f"{first}..{last}"


def writer(transactional_id: str | None, producer_id: int) -> str:
    """Return the transactional id, or the producer id where no record of a coordinator names it."""
    return transactional_id or f"producer {producer_id}"


def producer(producer_id: int, epoch: int | None) -> str:
    """Return "producer 1, epoch 0"."""
    return f"producer {producer_id}" if epoch is None else f"producer {producer_id}, epoch {epoch}"


def table_of(place_by: str | None, place: str) -> str:
    """Say by what a pasted table without its command is taken for one of this partition; nothing if it names it."""
    if place_by is None:
        return ""
    return f". The table itself names no partition: {place_by} names the same transaction in {place} alone"
