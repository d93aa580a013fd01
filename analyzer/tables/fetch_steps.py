"""The steps of collecting: what each of them fetches, and why; the first is the smallest set that can settle much."""

OPEN, NAMED, COPIES, SINCE, OLDER = 1, 2, 3, 4, 5

STEPS = {
    OPEN: "what is open: its data from the first offset on, and the marker before it",
    NAMED: "partitions that unfinished transactions of the coordinator name",
    COPIES: "other copies of these, where the leader has changed since",
    SINCE: "what came after the newest snapshots, which no small file shows",
    OLDER: "the rest: nothing that is open depends on it, only faults that are over",
}
"""Every step with what it is about, in the order in which to take them."""

SETTLING = (OPEN, NAMED, COPIES, SINCE)
"""The steps after which every open transaction is judged as if all segments had been read."""
