r"""Two producers commit the same position of a group in turn: input is processed twice or skipped.

How it looks
  __consumer_offsets-1, group enricher, position clicks-1
  92  commit 20  producer A          \  both are undecided
  93  commit 21  producer B          /  at the same time
  94  COMMIT     producer B
  95  COMMIT     producer A            <- the position goes back to 20

Why it happens
  Two applications, or an old and a new version of one, read the same input
  partition for the same group and commit in transactions. A transactional id
  fences only itself: an id per input partition (the style before KIP-447) and
  an id per process do not fence each other. The coordinator accepts every
  commit that carries only the group's name, without member id and generation.

What waits
  Nothing, apart from offsets that are pending while one of the two is
  undecided (GRP002). The damage is silent: both producers write output for
  the same input, and both outputs are committed. The commit that is decided
  last sets the position, not the one with the higher offset in the log, so
  the position may jump back.

Is an abort safe
  There is nothing to abort. Stop one of the two producers.

How sure
  certain   commits of both producers for one position were undecided at the
            same time, the dump has every offset between them, and the first
            one was not gone: its commit counts, or it commits again with no
            rebalance in between; or a producer id commits with a lower epoch
            than it used before, in a transaction of an epoch as high
  likely    the same of producer ids that may be of one transactional id; or
            one producer comes back after the other, and at least two of the
            switches have no rebalance (group metadata record) to explain them
  Commits of a transaction that hangs are not counted.

What it is not
  A clean hand-over at a rebalance: one switch, and nothing undecided. A new
  producer id of the same transactional id that takes over once. A producer
  that died: another one takes over while its commit is undecided, and its
  coordinator aborts that one after the timeout.

What would refute it
  A different order of the records in __consumer_offsets, or proof that both
  transactional ids belong to the same client.

Versions
  All. Brokers from 2.5 on fence by member id and generation if the client
  sends them (KIP-447: sendOffsetsToTransaction with groupMetadata()).

See also
  KIP-447, KIP-98; txn-forensics explain GRP002, RTE002
  Rules: C 4.
"""

import dataclasses

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.detectors import checks
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step, Way, step_if
from analyzer.detectors.subject import OfPartition, evidence_of
from analyzer.detectors.wording import counted
from analyzer.kafka.topics import OFFSETS_TOPIC

TURNS = "turns"
NAMED = 10
"""The number of producers that a finding names."""


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfPartition):
    """A group's position (`key`) that two producers commit, and two commits that show it.

    `proof`: overlap, stale_epoch, unnamed (an overlap of producers that may be one) or turns. `before` is the commit
    with the lower offset, `then` the other one.
    """

    group: str
    key: str
    proof: str
    commits: int
    switches: int
    overlaps: int
    went_back: int
    identities: str
    of_one_partition: str
    of_many_partitions: str
    rebalanced: bool | None
    before_identity: str
    before_offset: int
    before_committed_offset: int
    before_decided_at: int | None
    before_ref: Ref | None
    then_identity: str
    then_offset: int
    then_committed_offset: int
    then_ref: Ref | None


def find(conflicts: DataFrame) -> DataFrame:
    """Return the positions in conflict, with how many partitions each of the producers commits for."""
    proof = (
        F.when(F.col("interleaves") > 0, "overlap")
        .when(F.col("stale").isNotNull(), "stale_epoch")
        .when(F.col("overlap").isNotNull(), "unnamed")
    )
    first = F.when(F.col("interleaves") > 0, F.col("overlap"))
    shown = conflicts.withColumn("shown", F.coalesce(first, "stale", "overlap", "switch"))
    return evidence_of(
        Evidence,
        shown.withColumnRenamed("identities", "producers"),  # in a lambda, Spark would take the alias below for it
        topic=F.lit(OFFSETS_TOPIC),
        partition="offsets_partition",
        key=F.concat_ws("-", F.col("topic"), F.col("partition").cast("string")),
        proof=F.coalesce(proof, F.lit(TURNS)),
        identities=F.array_join(F.slice("producers", 1, NAMED), ", "),
        of_one_partition=_named(single=True),
        of_many_partitions=_named(single=False),
        rebalanced="shown.rebalanced",
        **{f"before_{name}": f"shown.before_{name}" for name in (*TURN, "decided_at", "ref")},
        **{f"then_{name}": f"shown.{name}" for name in (*TURN, "ref")},
    )


TURN = ("identity", "offset", "committed_offset")


def _named(*, single: bool) -> Column:
    """Return the producers of this position that commit for one partition, or those that commit for several."""

    def ours(style: Column) -> Column:
        alone = style["input_partitions"] == 1
        return F.array_contains("producers", style["identity"]) & (alone if single else ~alone)

    found = F.transform(F.filter("styles", ours), lambda style: style["identity"])
    return F.array_join(F.slice(found, 1, NAMED), ", ")


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    certain = e.proof in {"overlap", "stale_epoch"}
    these = f"the clients of {e.identities}" if e.before_identity == e.then_identity else e.identities
    return Explanation(
        headline=_headline(e),
        label=f"has two writers in group {e.group}",
        confidence="certain" if certain else "likely",
        steps=(
            Step(
                f"{counted(e.commits, 'transactional commit')} of group {e.group} for {e.key}; in the order of their "
                f"decisions the producer changes {counted(e.switches, 'time')}"
            ),
            Step(
                f"{e.before_identity} committed {e.before_committed_offset} at offset {e.before_offset}{_decided(e)}",
                e.before_ref,
            ),
            Step(
                f"{HOW.get(e.proof, HOW[TURNS])} {e.then_identity} committed {e.then_committed_offset} at offset "
                f"{e.then_offset}",
                e.then_ref,
            ),
            *step_if(e.overlaps > 1, f"{counted(e.overlaps, 'commit')} overlap like these"),
            *step_if(e.went_back, f"the position goes back {counted(e.went_back, 'time')}"),
            *_styles(e),
        ),
        cause=_causes(e),
        refuted_by=f"a group metadata record of {e.group} between the turns, or one client that uses both ids",
        otherwise=None if certain else OTHERWISE.get(e.proof, OTHERWISE[TURNS]),
        action=Action(
            kind="none",
            word="stop all but one",
            summary=f"STOP ALL BUT ONE of {these}. Then compare their outputs from the first turn on: input of "
            f"{e.key} may have been processed twice. There is nothing to abort.",
            check=checks.of_members(e.group, "one member that owns the partition"),
            warning="use sendOffsetsToTransaction with the consumer's groupMetadata(): brokers from 2.5 on then fence",
        ),
    )


OTHERWISE = {
    TURNS: "a rebalance that moved the partition and is not visible in the dump",
    "unnamed": "one transactional id that was given both producer ids: no record here tells whose they are",
}


def _headline(e: Evidence) -> str:
    position = f"group {e.group}'s position in {e.key}"
    if e.before_identity == e.then_identity:
        return f"two clients use {e.identities} and commit {position}: its epoch goes back"
    return f"{e.identities} take turns in committing {position}"


def _causes(e: Evidence) -> tuple[str, ...]:
    """Return why nothing kept the two apart; after a rebalance the first one had lost the partition."""
    two = "two applications, or two versions of one, process the same input for the same group"
    if e.rebalanced and e.proof in {"overlap", "unnamed"}:
        two = f"{e.before_identity} went on after a rebalance that gave {e.key} to another member"
    fenced = "nothing fences them: each has its own transactional id, and the commits name only the group (KIP-447)"
    return (two, fenced)


HOW = {
    "overlap": "while that was undecided,",
    "unnamed": "while that was undecided,",
    "stale_epoch": "that was a higher epoch of the same producer id; later",
    "turns": "with no rebalance between,",
}


def _decided(e: Evidence) -> str:
    if e.proof not in {"overlap", "unnamed"}:
        return ""
    if e.before_decided_at is None:
        return ", not decided yet"
    return f", decided at {e.before_decided_at}"


def _styles(e: Evidence) -> tuple[Step, ...]:
    """Return what kind of client each producer looks like, by how many partitions it commits for."""
    old = "commits for one partition only, like a client with one id per input partition (before KIP-447)"
    new = "commits for several partitions, like a client with one id per process"
    return (
        *step_if(e.of_one_partition, f"{e.of_one_partition}: {old}"),
        *step_if(e.of_many_partitions, f"{e.of_many_partitions}: {new}"),
    )


DETECTOR = Detector("GRP001", "warning", Way(("group_conflicts",), Evidence, find, explain, needs=("offset_commits",)))
