"""Lines that other clients write: librdkafka, which most languages use, and Flink."""

from analyzer.kafka.log_lines.pattern import (
    EPOCH,
    FENCED,
    ID,
    NOT_ANSWERED,
    OTHER,
    PRODUCER,
    REFUSED,
    STABLE,
    UNSTABLE,
    WAITS,
    Pattern,
    pattern,
)

THREAD = r"\[thrd:[^\]]{1,120}\]: .{0,400}?"
"""What begins a line of librdkafka; the program that prints it may leave it out."""

OF_CLIENTS: tuple[Pattern, ...] = (
    pattern(
        "open_for", "client", OTHER,
        rf"\[transactionalId={ID}, producerId={PRODUCER}, epoch={EPOCH}\] has been open for (?P<number>\d{{1,19}}) ms",
        "the client believes its transaction open for so long; beyond its timeout the coordinator has ended it",
    ),
    pattern(
        "client_timeout", "client", OTHER,
        r"\((?:commit|abort)_transaction\) timed out"
        r"|in state (?:Committing|Aborting)Transaction: .{0,200}\b_TIMED_OUT\b",
        NOT_ANSWERED,
    ),
    pattern(
        "client_fenced", "client", OTHER,
        rf"{THREAD}(?:\b_FENCED\b|\bINVALID_PRODUCER_EPOCH\b|fenced by a newer instance|operation with an old epoch"
        r"|newer producer with the same transactionalId)", FENCED,
    ),
    pattern(
        "end_refused", "client", OTHER,
        rf"{THREAD}(?:EndTxn returned|Failed to end transaction: ).{{0,200}}\bINVALID_TXN_STATE\b", REFUSED,
    ),
    pattern(
        "client_waits", "client", OTHER,
        rf"{THREAD}(?:Failed to acquire (?:transactional )?P(?:ID|roducerId)\b"
        r"|concurrent operation on the same transaction)", WAITS,
    ),
    pattern(
        "unstable_offsets", "client", OTHER,
        r"OffsetFetchResponse: (?P<topic>[A-Za-z0-9._-]{1,249}) \[(?P<partition>\d{1,10})\] "
        r".{0,200}\bUNSTABLE_OFFSET_COMMIT\b",
        UNSTABLE,
    ),
    pattern(
        "stable_offset", "client", OTHER,
        r"Topic (?P<topic>[A-Za-z0-9._-]{1,249}) \[(?P<partition>\d{1,10})\] MessageSet size .{0,200}"
        r"\bMaxOffset (?P<number>\d{1,19}), LSO (?P<offset>\d{1,19})\b", STABLE,
    ),
    pattern(
        "client_state", "client", OTHER, rf"{THREAD}Transaction state change \w{{1,40}} -> \w{{1,40}}",
        "what the client believes of its own transaction",
    ),
)  # fmt: skip
