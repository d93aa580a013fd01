"""Records of __transaction_state as kcl prints them, and what stands between the lines of a console's output."""

from analyzer.scan.recognise import recognise

FIELDS = {
    "ProducerID": "1463",
    "ProducerEpoch": "2",
    "TimeoutMillis": "120000",
    "State": "Ongoing",
    "Topics": "__consumer_offsets=>[7] orders=>[0 3] ",
    "LastUpdateTimestamp": "1614035297012",
    "StartTimestamp": "1614035297000",
}
NEWER = {"PreviousProducerID": "5", "NextProducerID": "-1", "NextProducerEpoch": "-1", "ClientTransactionVersion": "2"}
CONSOLE = (
    "t::TransactionMetadata(transactionalId=t, producerId=1, producerEpoch=0, txnTimeoutMs=60000, state=Empty, "
    "pendingState=None, topicPartitions=HashSet(), txnStartTimestamp=-1, txnLastUpdateTimestamp=2)\n"
)


def printed(partition, offset, id_="pay 1", fields=FIELDS, version=0):
    head = f"__transaction_state partition {partition} offset {offset} at [2021-02-22 16:08:16.578]\n"
    lines = "".join(f"      {name:<19}  {value}\n" for name, value in fields.items())
    return f"{head}TxnMetadataKey(0) {id_}\nTxnMetadataValue({version})\n{lines}\n\n"


def test_each_partition_is_a_section_of_its_own(read, tmp_path):
    text = printed(32, 5) + printed(7, 9, "b", FIELDS | NEWER, 1) + printed(32, 6, "c")
    facts = read(text, "console")
    places = {row["section"]: (row["dumped_topic"], row["dumped_partition"]) for row in facts["sections"]}
    assert {places[row["section"]][1]: 0 for row in facts["coordinator_states"]} == {32: 0, 7: 0}
    names = ("transactional_id", "offset", "line", "producer_id", "producer_epoch", "timeout_ms", "state", "partitions")
    [first, newer, last] = sorted(facts["coordinator_states"], key=lambda row: row["line"])
    partitions = ["__consumer_offsets-7", "orders-0", "orders-3"]
    assert [first[name] for name in names] == ["pay 1", 5, 1, 1463, 2, 120000, "Ongoing", partitions]
    assert (first["last_update_ms"], first["start_ms"]) == (1_614_035_297_012, 1_614_035_297_000)
    assert (newer["previous_producer_id"], newer["next_producer_id"], newer["client_transaction_version"]) == (5, -1, 2)
    assert places[last["section"]] == places[first["section"]] == ("__transaction_state", 32)
    assert not facts["unparsed_lines"]
    path = tmp_path / "state.txt"
    path.write_text(text)
    assert recognise(path, path.stat().st_size).kind == "console"


def test_a_tombstone_and_the_end_of_the_text(read):
    gone = "__transaction_state partition 3 offset 4 at [2021-02-22 16:08:16]\nTxnMetadataKey(0) a\n"
    text = f"{gone}TxnMetadataValue (could not decode 0 bytes)\n\n\n{printed(3, 5).rstrip()}"
    states = read(text, "console")["coordinator_states"]
    assert [(row["offset"], row["tombstone"], row["state"]) for row in states] == [
        (4, True, None),
        (5, False, "Ongoing"),
    ]


def test_a_record_that_is_cut_is_none(read):
    """Without its last fields a state could be that of another transaction."""
    cut = printed(3, 5).replace("      StartTimestamp       1614035297000\n", "")
    states = read(cut + printed(3, 6, "b"), "console")["coordinator_states"]
    assert [row["transactional_id"] for row in states] == ["b"]


def test_an_error_of_a_producer_is_a_line_of_a_log(read):
    error = (
        "org.apache.kafka.common.errors.InvalidProducerEpochException: Producer attempted to produce with an old epoch."
    )
    facts = read(f"{error}\n{CONSOLE}", "console")
    assert [(row["says"], row["line"]) for row in facts["log_lines"]] == [("client_fenced", 1)]
    assert [row["ending"] for row in facts["sections"]] == ["complete"]
    assert len(facts["coordinator_states"]) == 1
    died = read(f"{CONSOLE}org.apache.kafka.common.errors.TimeoutException: Timed out\n", "console")
    assert [row["ending"] for row in died["sections"]] == ["died"]
