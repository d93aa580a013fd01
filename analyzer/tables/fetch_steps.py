"""The steps of collecting: what each of them fetches, and why; the first is the smallest set that can settle much."""

OPEN, DATA, NAMED, COPIES, SINCE, OLDER = 1, 2, 3, 4, 5, 6

STEPS = {
    OPEN: "where the open transactions may have ended",
    DATA: "their data from the first offset on, and the marker before it: why they hang, if they do",
    NAMED: "partitions that unfinished transactions of the coordinator name",
    COPIES: "other copies of these, where the leader has changed since",
    SINCE: "what was written after the newest snapshots, which no small file shows",
    OLDER: "the rest: no open transaction depends on it, only faults that are over",
}
"""Every step with what it is about, in the order in which to take them."""

SETTLING = (OPEN, DATA, NAMED, COPIES, SINCE)
"""The steps after which every open transaction is judged as if all segments had been read."""

BY_ROUNDS = (OPEN, NAMED, COPIES, SINCE)
"""The steps of a reader that can come back: what is still open then has its data in step 1 of the next round."""
