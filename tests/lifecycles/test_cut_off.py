"""Between which markers a commit that no copy has should lie, and which leader epoch cut it off (RULES E 5)."""

import random

from given_tables import filled, run_with

from analyzer.lifecycles.leadership.stages import STAGES
from analyzer.pipeline.amounts.holding import Holding
from analyzer.pipeline.amounts.one_task_or_many import Amount
from analyzer.storage.engines.differences import engine_of

LOG = "capture string, topic string, partition int, replica string"
OF_CLAIM = "producer_id bigint, state_partition int, transactional_id string, coordinator_txn bigint"
TIMES = "begun_ms bigint, decided_ms bigint, completed_ms bigint"
SUSPECTS = (
    f"{LOG}, {OF_CLAIM}, {TIMES}, decision_epoch int, own_offset bigint, own_leader_epoch int, "
    "log_start_offset bigint, first_segment bigint, log_end_offset bigint, tail_missing boolean"
)
DECISIONS = f"{LOG}, log_no int, producer_id bigint, txn_no bigint, marker_offset bigint, {TIMES}"
TXNS = "log_no int, producer_id bigint, txn_no bigint, marker_leader_epoch int"
BATCHES = f"{LOG}, base_offset bigint, last_offset bigint, count bigint, magic int, delete_horizon_ms bigint"
EPOCHS = f"{LOG}, epoch int, start_offset bigint"
END = 400


def cut_off(spark, suspects, markers, epochs):
    """What the stage says: of each commit by its number the offsets that bound it, and where the log was cut."""
    place = [("c", "orders", partition, "1") for partition in (0, 1)]
    claims = [
        (*place[log], 1, 0, "pay", number, begun, begun + 1, done, 0, own, own and epoch_at(epochs[log], own), 0, 0, END,
         False)
        for number, (log, begun, done, own) in enumerate(suspects)
    ]  # fmt: skip
    decided = [
        (*place[log], log, 100 + number, 0, offset, at, at, done)
        for number, (log, offset, at, done) in enumerate(markers)
    ]
    closed = [
        (log, 100 + number, 0, epoch_at(epochs[log], offset)) for number, (log, offset, _, _) in enumerate(markers)
    ]
    every = [(*one, offset, offset, 1, 2, None) for one in place for offset in range(END)]
    begun = [(*place[log], epoch, start) for log in (0, 1) for epoch, start in enumerate(epochs[log])]
    tables = {
        "lost_suspects": (claims, SUSPECTS),
        "decisions": (decided, DECISIONS),
        "partition_txns": (closed, TXNS),
        "log_batches": (every, BATCHES),
        "leader_epochs": (begun, EPOCHS),
    }
    given = {name: filled(name, spark.createDataFrame(*rows)) for name, rows in tables.items()}
    run = run_with(Holding(engine_of(spark), Amount.FEW), STAGES, **given)
    rows = run.with_rows("commits_cut_off")["commits_cut_off"].collect()
    return {row.coordinator_txn: (row.low, row.high, row.cut.offset) for row in rows}


def epoch_at(starts, offset):
    return max(epoch for epoch, start in enumerate(starts) if start <= offset)


def expected(suspects, markers, epochs):
    """The same, each commit compared with each marker."""
    told = {}
    for number, (log, begun, done, own) in enumerate(suspects):
        before = [offset for of, offset, _, completed in markers if of == log and completed < begun]
        after = [offset for of, offset, decided, _ in markers if of == log and decided > done]
        low = max(before, default=None)
        high = min(after, default=None) if own is None else own
        since = 0 if low is None else epoch_at(epochs[log], low)
        until = len(epochs[log]) if high is None else epoch_at(epochs[log], high)
        bounds = (-1 if low is None else low, END if high is None else high)
        cuts = [
            start
            for epoch, start in enumerate(epochs[log])
            if since < epoch <= until and bounds[0] <= start <= bounds[1]
        ]
        if cuts:
            told[number] = (*bounds, min(cuts))
    return told


def test_markers_next_to_a_commit_are_those_of_a_comparison_with_each(spark):
    chance = random.Random(5)
    epochs = ([0, 90, 200], [0, 310])
    markers = [
        (log, offset, at := 10 * offset + chance.randrange(-60, 60), at + chance.randrange(40))
        for log in (0, 1)
        for offset in chance.sample(range(END), 40)
    ]
    free = sorted(set(range(END)) - {offset for _, offset, _, _ in markers})
    suspects = [
        (log, begun := chance.randrange(10 * END), begun + chance.randrange(1, 60), chance.choice((None, *free)))
        for log in (0, 1)
        for _ in range(60)
    ]
    told = cut_off(spark, suspects, markers, epochs)
    assert told == expected(suspects, markers, epochs)
    assert len(told) > 5
