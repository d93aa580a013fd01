"""Lines that Redpanda's brokers write; its transactions are Kafka's, its coordinator and its files are not.

Source: `tx_gateway_frontend.cc`, `rm_stm.cc`, `group.cc` of 22.2 to 24.3, as reports quote them; `tx_errc::` became
`tx::errc::`.
"""

from analyzer.kafka.log_lines.pattern import ID, OTHER, UNSTABLE, Pattern

NOT_IT = "this broker could not act for the id's coordinator then"
TRIED = "the coordinator began to abort the transaction; this does not show that it succeeded"
PID = r"\{producer_identity: id=(?P<producer_id>\d{1,19}), epoch=(?P<producer_epoch>-?\d{1,10})\}"
OF_ID = rf"\[tx_id={ID}\] "

ONLY_REDPANDA = frozenset({
    "id_fenced", "abort_tried", "id_state", "commit_again", "earlier_open", "previous_not_ended", "no_coordinator",
})  # fmt: skip
"""What no broker of Kafka's says: where it stands, the brokers are Redpanda's."""

OF_REDPANDA: tuple[Pattern, ...] = (
    Pattern(
        "id_fenced", "broker", OTHER, rf"{OF_ID}producer {PID} is fenced (?:of|off)? ?by \{{producer_identity: ",
        "the coordinator refused this epoch: the id has a higher one",
    ),
    Pattern(
        "abort_tried", "broker", OTHER,
        rf"{OF_ID}trying to abort transaction\. pid: {PID}",
        TRIED,
    ),
    Pattern(
        "abort_tried", "broker", OTHER, rf"attempting expiration of producer: {PID} transaction",
        TRIED,
    ),
    Pattern(
        "id_state", "broker", OTHER,
        r"found transaction \{id: (?P<transactional_id>.{1,300}?), status: \w{1,40}, "
        rf"pid: {PID}",
        "the state that the coordinator had of the id then",
    ),
    Pattern(
        "commit_again", "broker", OTHER,
        rf"(?:retrying re-commit |Can't find prepare for )pid: ?{PID}",
        "the transaction was decided COMMIT, and its end is sent again: an abort would tear it",
    ),
    Pattern(
        "earlier_open", "broker", OTHER,
        rf"can't begin a tx {PID} with tx_seq \d{{1,19}}: a producer id is already involved in a tx",
        "an earlier transaction of the producer id is still open there",
    ),
    Pattern(
        "previous_not_ended", "broker", OTHER, rf"on rolling previous tx\.id=\{{{ID}\}}",
        "the id's earlier transaction could not be ended, so its client gets no producer id",
    ),
    Pattern(
        "no_coordinator", "broker", OTHER,
        rf"this node isn't a leader for tx\.id=\{{{ID}\}}",
        NOT_IT,
    ),
    Pattern(
        "no_coordinator", "broker", OTHER,
        rf"syncing state machine \(loading tx\.id=\{{{ID}\}}\)", NOT_IT,
    ),
    Pattern(
        "no_coordinator", "broker", OTHER,
        rf"producer {PID} transaction expiration result: tx::errc::(?:not_coordinator|coordinator_\w{{1,40}})\b",
        NOT_IT,
    ),
    Pattern(
        "no_coordinator", "broker", OTHER,
        r"\btx(?:_|::)errc::(?:not_coordinator|coordinator_not_available|coordinator_load_in_progress)\b",
        NOT_IT,
    ),
    Pattern(
        "unstable_offsets", "broker", OTHER,
        r"topics=\{\{name=\{(?P<topic>[A-Za-z0-9._-]{1,249})\} partitions=\{\{partition_index=(?P<partition>\d{1,10}) "
        r".{0,300}?error_code: unstable_offset_commit\b", UNSTABLE,
    ),
)  # fmt: skip
