"""One row of `opens` as the questions about it see it: the columns that they ask for, None where a file is silent."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, Self

from analyzer.kafka.clocks import LONGEST_AGO_MS, SKEW_MS
from analyzer.lifecycles.judging.unknown import at_most, before, greatest, least, minus, plus


@dataclasses.dataclass(frozen=True, slots=True)
class Part:
    """A row, or a struct in one, of which only these fields are asked for."""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """Return the fields of a row that are asked for."""
        told = {name: (part, row[name]) for name, part in parts_of(cls).items()}
        return cls(**{name: one if part is None or one is None else part.of(one) for name, (part, one) in told.items()})


def parts_of(kind: type[Part]) -> dict[str, type[Part] | None]:
    """Return the fields of a row, each with what its struct is, None for a plain value."""
    if kind not in _PARTS:
        hints = typing.get_type_hints(kind)
        _PARTS[kind] = {field.name: _part(hints[field.name]) for field in dataclasses.fields(kind)}
    return _PARTS[kind]


_PARTS: dict[type[Part], dict[str, type[Part] | None]] = {}


def _part(hint: object) -> type[Part] | None:
    """Return the part that a field of type `Part | None` holds."""
    if not isinstance(hint, types.UnionType):
        return None
    return next((one for one in hint.__args__ if isinstance(one, type) and issubclass(one, Part)), None)


@dataclasses.dataclass(frozen=True, slots=True)
class Batch(Part):
    """A batch of its data."""

    max_timestamp: int | None


@dataclasses.dataclass(frozen=True, slots=True)
class Decided(Part):
    """A decided transaction of its id (`ended`, `lost`)."""

    decision: str | None
    decided_ms: int | None
    completed_ms: int | None
    state: str | None
    begun_ms: int | None
    next_begun_ms: int | None
    is_last: bool | None
    begin_epoch: int | None
    decision_epoch: int | None
    recovered: bool | None
    undelivered: int | None
    coordinator_txn: int | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Running(Part):
    """The Ongoing transaction of its id."""

    deadline_ms: int | None
    committed_ms: int | None


@dataclasses.dataclass(frozen=True, slots=True)
class Latest(Part):
    """The newest transaction of its id."""

    list_known: bool | None
    begun_ms: int | None


@dataclasses.dataclass(frozen=True, slots=True)
class Rest(Part):
    """The record that put its id to rest."""

    ms: int | None
    decided_ms: int | None
    retired: bool | None


@dataclasses.dataclass(frozen=True, slots=True)
class Newest(Part):
    """The newest record of its producer id."""

    timestamp: int | None
    state_partition: int | None


@dataclasses.dataclass(frozen=True, slots=True)
class Orphan(Part):
    """The state of its id, where no broker looks for it."""

    proven: bool | None


@dataclasses.dataclass(frozen=True, slots=True)
class OpenTransaction(Part):
    """One open transaction; the declaration of `opens` says what each column means."""

    transactional_id: str | None
    ids: int | None
    producer_epoch: int | None
    highest_data_epoch: int | None
    highest_epoch: int | None
    last_offset: int | None
    log_start_offset: int | None
    has_log: bool | None
    log_epoch: int | None
    last_leader_epoch: int | None
    first_batch: Batch | None
    last_batch: Batch | None
    snapshot_epoch: int | None
    snapshot_ms: int | None
    ended: Decided | None
    lost: Decided | None
    lost_unled_ms: int | None
    running: Running | None
    latest_txn: Latest | None
    rest: Rest | None
    orphan: Orphan | None
    last_named_txn: int | None
    named_by_latest: bool | None
    all_lists_known: bool | None
    history_whole: bool | None
    appended_by_ms: int | None
    later_marker_ms: int | None
    earlier_ms: int | None
    idle_until_ms: int | None
    ended_epoch: int | None
    horizon_ms: int | None
    reaches_ms: int | None
    reach_ms: int | None
    replica_reach_ms: int | None
    newer_epoch_ms: int | None
    tail_missing: bool | None
    captured_at: int | None
    captured_at_source: str | None
    copied_ms: int | None
    shift_ms: int | None
    spread_ms: int | None
    margin_ms: int | None
    marker_bound_ms: int | None
    max_timeout_ms: int | None
    others_ms: int | None
    paced_ms: int | None
    state_count: int | None
    missing_states: list[int] | None
    newest_state_ms: int | None
    state_horizon_ms: int | None
    cut_commit_ms: int | None
    overruled_epoch: int | None
    state_sound: bool | None
    states_sound: bool | None
    state_newest_here: bool | None
    state_newest_ms: int | None
    authority: bool | None
    disputed: bool | None
    gone: str | None
    first_offset: int | None
    pin_offset: int | None
    own_offset: int | None
    unread_offset: int | None
    over: bool | None
    stamp_lag_ms: int | None
    lag_is_own: bool | None
    given_ms: int | None
    commit_ms: int | None
    newest: Newest | None
    stopped_states: list[int] | None

    @property
    def epoch(self) -> int | None:
        """Its producer epoch: of its last data, or what a producer snapshot says."""
        return self.snapshot_epoch if self.producer_epoch is None else self.producer_epoch

    @property
    def newest_epoch(self) -> int | None:
        """The highest epoch of its data, or what a producer snapshot says."""
        return self.snapshot_epoch if self.highest_data_epoch is None else self.highest_data_epoch

    @property
    def written_ms(self) -> int | None:
        """The timestamp of its first batch, or of the producer's last where only a snapshot knows it, epoch ms."""
        return self._stamped(self.first_batch)

    @property
    def newest_ms(self) -> int | None:
        """The timestamp of its last batch, or of the producer's last where only a snapshot knows it, epoch ms."""
        return self._stamped(self.last_batch)

    @property
    def first_by_ms(self) -> int | None:
        """When its first batch was appended at the latest, by its producer's timestamps, epoch ms; None for unknown."""
        return self._by(self.written_ms)

    @property
    def last_by_ms(self) -> int | None:
        """The same of its last batch."""
        return self._by(self.newest_ms)

    @property
    def open_since_ms(self) -> int | None:
        """Since when at least the data is there, by a time that a broker set at a later offset; None for none."""
        return least(self.appended_by_ms, self.later_marker_ms)

    @property
    def has_data(self) -> bool:
        """Whether the log that is here has data of it, down to its last batch."""
        return at_most(self.log_start_offset, self.last_offset)

    @property
    def contradicted(self) -> bool:
        """Whether only a producer snapshot has it open, and the log here has its offset, or has ended it."""
        covered = self.pin_offset is not None and self.pin_offset == self.first_offset
        ended = self.own_offset is not None
        return bool(self.has_log) and self.last_offset is None and self.gone is None and (covered or ended)

    @property
    def records_end_ms(self) -> int | None:
        """Where the coordinator's records of its id end, epoch ms; None if nothing shows that they are old."""
        # A COMMIT marker that no record explains, from after the newest one: only a coordinator writes it.
        newest_ms = None if self.newest is None else self.newest.timestamp
        return least(self.state_horizon_ms, newest_ms if before(plus(newest_ms, SKEW_MS), self.commit_ms) else None)

    def _by(self, stamped_ms: int | None) -> int | None:
        """Return until when what has this timestamp was appended; None where it is no time of the producer's.

        That is so where its data came 2 s later before, or this is from before its epoch or the transaction ended last.
        """
        begun_ms = None if self.ended is None else self.ended.begun_ms
        lag_ms = self.stamp_lag_ms or 0
        earlier = before(plus(stamped_ms, SKEW_MS), greatest(self.given_ms, begun_ms))
        absurd = before(LONGEST_AGO_MS, minus(self.captured_at, stamped_ms))
        if stamped_ms is None or lag_ms > SKEW_MS or earlier or absurd:
            return None
        return greatest(stamped_ms + 2 * lag_ms, plus(self.given_ms, 1))

    def _stamped(self, batch: Batch | None) -> int | None:
        return self.snapshot_ms if batch is None or batch.max_timestamp is None else batch.max_timestamp
