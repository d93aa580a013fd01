"""Lines that Kafka's brokers write, but for their transaction coordinators."""

from analyzer.kafka.log_lines.pattern import EPOCH, EVERY, GAP, KRAFT, PLACE, PRODUCER, STABLE, Pattern

NO_LEADER = "the partition had no leader then"

OF_KAFKA: tuple[Pattern, ...] = (
    Pattern(
        "out_of_order", "broker", EVERY,
        rf"Out of order sequence number for producer(?:Id)? {PRODUCER}"
        rf"(?: at offset (?P<offset>\d{{1,19}}) in partition {PLACE})?: ",
        GAP,
    ),
    Pattern(
        "out_of_order", "broker", EVERY,
        rf"Invalid sequence number for (?:new epoch of )?producer (?:{PRODUCER} )?at offset (?P<offset>\d{{1,19}}) in "
        rf"partition {PLACE}: ",
        GAP,
    ),
    Pattern(
        "old_epoch", "broker", EVERY,
        rf"Epoch of producer {PRODUCER} (?:at offset (?P<offset>\d{{1,19}}) in {PLACE} )?is {EPOCH}",
        "the leader refused a batch of a lower epoch: the producer was fenced",
    ),
    Pattern(
        "coordinator_fenced", "broker", EVERY,
        rf"nvalid coordinator epoch for producerId {PRODUCER} at offset (?P<offset>\d{{1,19}}) in partition {PLACE}: ",
        "the leader refused a marker of a coordinator that another one had replaced: what is decided, the newest one "
        "tells",
    ),
    Pattern(
        "few_in_sync", "broker", EVERY,
        r"The size of the current ISR .{1,300}? is insufficient to satisfy the min\.isr requirement of "
        rf"(?P<number>\d{{1,10}}) for partition {PLACE}",
        "the partition took nothing then that all of its replicas in sync must have, no state of an id, no marker and "
        "no commit of an offset: too few were in sync",
    ),
    Pattern(
        "broker_fenced", "broker", EVERY,
        r"\bFencing broker (?P<number>\d{1,10}) (?:at epoch -?\d{1,19} )?because its session has timed out",
        "the controller took that broker for gone: what it led has another leader from then on, or none",
    ),
    Pattern(
        "uncleanable", "broker", EVERY,
        rf"Marking its partition \({PLACE}\) as uncleanable",
        "the cleaner leaves this partition alone until the broker starts again: it grows, with or without an open "
        "transaction",
    ),
    Pattern(
        "append_failed", "broker", EVERY, rf"Error processing append operation on partition {PLACE}",
        "the leader refused a batch; the next line says why",
    ),
    Pattern(
        "no_leader", "broker", EVERY,
        rf"(?:Failed to elect leader|failed to change state) for partition {PLACE}"
        r"(?: under strategy Offline| from (?:New|Offline)Partition to OnlinePartition)",
        NO_LEADER,
    ),
    Pattern(
        "no_leader", "broker", EVERY,
        rf"Follower {PLACE} starts at leader epoch \d{{1,10}} from offset .{{1,120}}Current leader is -1\b",
        NO_LEADER,
    ),
    Pattern(
        "no_leader", "broker", EVERY,
        rf"\bpartition change for {PLACE} with topic ID .{{1,300}}\bleader: \d{{1,10}} -> -1\b",
        NO_LEADER,
    ),
    Pattern(
        "unclean_election", "broker", KRAFT,
        rf"(?:Triggering unclean leader election for offline partition |UNCLEAN partition change for ){PLACE}"
        r"(?:\.| with |:)"
        r"|Setting new leader for topicId \S{1,40}, partition \d{1,10} to \d{1,10} using an unclean election",
        "a replica that was not in sync leads from then on: what it lacked is gone",
    ),
    Pattern(
        "leads", "broker", EVERY,
        rf"\[Broker id=(?P<number>\d{{1,10}})\W.{{0,40}}Leader {PLACE} (?:with topic id \S{{1,40}} )?"
        r"starts at leader epoch (?P<offset>\d{1,10}) from offset ",
        "which broker leads that leader epoch: it ranks copies that know the same one",
    ),
    Pattern(
        "follows", "broker", KRAFT,
        rf"Follower {PLACE} starts at leader epoch (?P<offset>\d{{1,10}}) from offset .{{1,120}}"
        r"Current leader is (?P<number>\d{1,10})\b",
        "which broker leads that leader epoch: it ranks copies that know the same one",
    ),
    Pattern(
        "truncated", "broker", EVERY,
        rf"(?:\[\w+ partition={PLACE}\W.*)?Truncating to offset (?P<offset>\d{{1,19}})",
        "this replica dropped everything from that offset on",
    ),
    Pattern(
        "stable_offset", "broker", EVERY,
        r"topic=(?P<topic>[A-Za-z0-9._-]{1,249}), partition=(?P<partition>\d{1,10}), highWatermark="
        r"(?P<number>\d{1,19}), lastStableOffset=(?P<offset>\d{1,19})",
        STABLE,
    ),
    Pattern(
        "stable_offset", "client", EVERY,
        rf"Fetch READ_COMMITTED at offset \d{{1,19}} for partition {PLACE} returned fetch data .{{0,300}}?"
        r"high[Ww]ater[Mm]ark=(?P<number>\d{1,19}), lastStableOffset ?= ?(?P<offset>\d{1,19})", STABLE,
    ),
    Pattern(
        "cleaned", "broker", EVERY,
        rf"cleaned log {PLACE} \(dirty section = \[(?P<offset>\d{{1,19}}), (?P<number>\d{{1,19}})\]\)",
        "the cleaner came that far: an open transaction stops it at its first offset",
    ),
)  # fmt: skip
