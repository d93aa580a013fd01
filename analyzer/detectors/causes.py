"""Causes of findings: only those are told that the brokers' version and the controllers' log leave possible."""

import dataclasses
import itertools
from collections.abc import Iterable, Sequence

from analyzer.detectors import needs
from analyzer.detectors.cluster import Cluster, Period
from analyzer.detectors.needs import Need
from analyzer.kafka.known_bugs import KnownBug
from analyzer.kafka.known_bugs.clients import LATE_REQUEST, WRONG_TOPIC
from analyzer.kafka.known_bugs.coordinator import MARKER_SKIPPED
from analyzer.kafka.known_bugs.logs import MARKER_BEFORE_DATA, MARKER_BY_KEY
from analyzer.kafka.settings import MIN_ISR, TRANSACTION_VERSION, UNCLEAN_ELECTION, VERIFICATION
from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.kafka.versions import METADATA_LEVELS, VERIFIES_COMMITS, VERIFIES_DATA, Version


@dataclasses.dataclass(frozen=True, slots=True)
class Cause:
    """A cause that is possible from one version on, or before one, where the cluster had what it needs."""

    text: str
    since: Version | None = None
    before: Version | None = None
    needs: Need | None = None
    only: Need | None = None
    """What has to be known of the cluster for the cause to be told."""
    about: str | None = None
    """The setting that bears on it; what it is now is told as well."""
    bug: KnownBug | None = None
    """The known bug that it is, which its words name."""
    names: tuple[KnownBug, ...] = ()
    """Further known bugs that its words name."""
    spared: tuple[KnownBug, ...] = ()
    """Bugs of which the brokers may be free now: it is of those before them."""
    among: str = ""
    """Of causes with the same word here one is true: they are told as alternatives."""
    other: bool = False
    """It is an alternative to whatever is told before it."""

    def possible(self, cluster: Cluster, period: Period | None) -> bool:
        """Return whether it can have been: of an unknown version, or of a time that no log covers, it can."""
        brokers = cluster.brokers
        in_time = (self.since is None or brokers.may_be(self.since)) and (
            self.before is None or brokers.may_precede(self.before)
        )
        in_time &= self.bug is None or self.bug.may_affect(brokers)
        in_time &= not self.spared or any(one.may_spare(brokers) for one in self.spared)
        covered = cluster.covered(period)
        if covered is None:
            return in_time and self.only is None
        known = self.only is None or self.only.met(cluster, covered)
        return in_time and known and (self.needs is None or self.needs.met(cluster, covered))

    def said(self, cluster: Cluster, topic: str | None) -> str:
        """Return it in words, with what its setting is now where the capture tells."""
        told = cluster.now(self.about, topic or "") if self.about else []
        values = " or ".join(dict.fromkeys(one.setting for one in told if one.setting is not None))
        return f"{self.text} ({self.about} is {values} now)" if values else self.text


def possible(causes: Iterable[Cause | str], cluster: Cluster, period: Period | None) -> list[Cause | str]:
    """Return the causes that can have been."""
    return [one for one in causes if isinstance(one, str) or one.possible(cluster, period)]


def told(causes: Sequence[Cause | str], cluster: Cluster, topic: str | None) -> list[str]:
    """Return causes in words; an alternative to the one before begins with "or"."""
    words = [one if isinstance(one, str) else one.said(cluster, topic) for one in causes]
    others = alternatives(causes)
    return [f"or {one}" if place in others else one for place, one in enumerate(words)]


def named(causes: Iterable[Cause | str | None]) -> list[KnownBug]:
    """Return the known bugs that the words of causes name, each once."""
    bugs = [bug for one in causes if isinstance(one, Cause) for bug in (one.bug, *one.names) if bug is not None]
    return list(dict.fromkeys(bugs))


def alternatives(causes: Sequence[Cause | str]) -> list[int]:
    """Return which of these causes are alternatives to the one before."""
    return [place for place, (before, one) in enumerate(itertools.pairwise(causes), 1) if _is_other(one, before)]


def _is_other(one: Cause | str, before: Cause | str) -> bool:
    if isinstance(one, str):
        return False
    return one.other or (bool(one.among) and isinstance(before, Cause) and one.among == before.among)


def proofs(causes: Iterable[Cause | str], cluster: Cluster, period: Period | None) -> list[needs.Proof]:
    """Return what the controllers' log shows of causes: each a sentence and its record, at most MOST_PROOFS."""
    covered = cluster.covered(period)
    if covered is None:
        return []
    wanted = [need for one in causes if isinstance(one, Cause) for need in (one.needs, one.only) if need is not None]
    shown = {text: ref for need in wanted for text, ref in need.shown(cluster, covered)}
    return list(shown.items())[:MOST_PROOFS]


MOST_PROOFS = 4


def unverified(topic: str) -> tuple[Cause, ...]:
    """Return why a leader appended records of a partition that was in no running transaction (KIP-890)."""
    since, release = (VERIFIES_COMMITS, "3.7") if topic == OFFSETS_TOPIC else (VERIFIES_DATA, "3.6")
    what = "offset commits" if topic == OFFSETS_TOPIC else "transactional records"
    older = needs.before_release(METADATA_LEVELS[since])
    return (
        Cause(
            f"brokers before {release} do not verify {what} with the coordinator (KIP-890)", before=since, needs=older,
            among="unverified",
        ),
        Cause(
            f"{VERIFICATION} was false, so leaders did not verify (KIP-890)",
            since=since, needs=needs.UNVERIFIED, about=VERIFICATION, among="unverified",
        ),
        Cause(
            f"the leader still ran a version before {release}, in the middle of an upgrade (KIP-890)",
            since=since, needs=older, among="unverified",
        ),
    )  # fmt: skip


def unchecked(topic: str) -> Need:
    """Return what a write needs that no running transaction covers: a leader that did not ask the coordinator."""
    since = VERIFIES_COMMITS if topic == OFFSETS_TOPIC else VERIFIES_DATA
    return needs.AnyOf((needs.UNVERIFIED, needs.before_release(METADATA_LEVELS[since])))


def delayed(topic: str) -> Cause:
    """Return what came late."""
    request = "TxnOffsetCommit" if topic == OFFSETS_TOPIC else "Produce"
    text = f"a {request} request was delayed and appended after the transaction's marker ({LATE_REQUEST.issue})"
    return Cause(text, names=(LATE_REQUEST,))


def unlisted(topic: str) -> str:
    """Return what the client left out."""
    if topic == OFFSETS_TOPIC:
        return "the client sent TxnOffsetCommit without a successful AddOffsetsToTxn"
    return "the client produced without a successful AddPartitionsToTxn"


def misdirected(topic: str) -> tuple[Cause, ...]:
    """Return that a client sent a batch to a topic that it was not meant for; not what writes no batches of its own."""
    if topic == OFFSETS_TOPIC:
        return ()
    return (
        Cause(
            f"a Java producer of 2.8.0 or newer sent the batch to the wrong topic ({WRONG_TOPIC.named()}): the "
            "topic that it was meant for then has a sequence gap of this producer at the same time (PID003)",
            needs=unchecked(topic),
            names=(WRONG_TOPIC,),
            other=True,
        ),
    )


def _by_cleaner(bug: KnownBug, how: str) -> Cause:
    return Cause(f"{how} ({bug.named()})", needs=needs.before_release(bug.level()), bug=bug, among="cleaned")


def _before_upgrade(*bugs: KnownBug) -> Cause:
    """Return that brokers of an older release, with any of these bugs, cleaned the log."""
    issues = " or ".join(bug.issue for bug in bugs)
    older = needs.before_release(max(bug.level() for bug in bugs))
    text = f"the log was cleaned before an upgrade, by brokers of a release with {issues}"
    return Cause(text, needs=older, spared=bugs, names=bugs, among="cleaned")


_BEFORE_DATA = _by_cleaner(MARKER_BEFORE_DATA, "the cleaner did not see the aborted data beyond its offset map")
CLEANED_INDEX = (_BEFORE_DATA, _before_upgrade(MARKER_BEFORE_DATA))
"""Why the cleaner removed an entry of the .txnindex before the data."""


def cleaned(decision: str) -> tuple[Cause, ...]:
    """Return why the cleaner removed a marker of this decision before its data."""
    key = "0 for ABORT" if decision == "ABORT" else "1 for COMMIT"
    by_key = _by_cleaner(
        MARKER_BY_KEY,
        f"a later record has the marker's key, 4 bytes with {key}, as an IntegerSerializer writes it, and the cleaner "
        "kept that record instead",
    )
    if decision == "ABORT":
        return (_BEFORE_DATA, by_key, _before_upgrade(MARKER_BEFORE_DATA, MARKER_BY_KEY))
    return (by_key, _before_upgrade(MARKER_BY_KEY))


def cut_off(what: str, *, unclean: bool = False) -> tuple[Cause, ...]:
    """Return why a log lost the newest that it had; `unclean`: an unclean election is known to be why."""
    elected = Cause(
        f"a replica that did not have {what} became leader by an unclean election, automatic or by hand",
        needs=needs.UNCLEAN_LED, about=UNCLEAN_ELECTION, among="cut off",
    )  # fmt: skip
    if unclean:
        return (dataclasses.replace(elected, needs=None),)
    return (
        elected,
        Cause(
            "the only copy in sync lost unflushed bytes in a crash of its machine", needs=needs.Crash(), about=MIN_ISR,
            among="cut off",
        ),
        Cause(
            "a log file or disk was replaced or cut by hand: no election or restart of that time explains it",
            only=needs.Untouched(), among="cut off",
        ),
    )  # fmt: skip


SKIPPED = Cause(
    "the partition had no leader for a while: a coordinator that sent its markers then took it for deleted, sent none "
    f"there, and completed the transaction ({MARKER_SKIPPED.named()})",
    bug=MARKER_SKIPPED,
    only=needs.LEADERLESS,
    other=True,
)
"""Why the end of a transaction may never have been written, whose decision is not here any more."""
SLIPPED = (
    Cause(
        "a Produce request was delayed past the end of its transaction and joined the producer's next one in the log "
        f"({LATE_REQUEST.issue}; KIP-890 part 1 does not stop it; part 2, a new epoch for each transaction, does)",
        about=TRANSACTION_VERSION,
        names=(LATE_REQUEST,),
    ),
    Cause(
        f"the producer is older than 4.0: it does not take the new epochs that {TRANSACTION_VERSION} 2 gives",
        only=needs.Reached(TRANSACTION_VERSION, 2),
    ),
    Cause(f"{TRANSACTION_VERSION} was below 2: transactions shared an epoch", only=needs.Below(TRANSACTION_VERSION, 2)),
    SKIPPED,
)
"""Why records of one transaction are in the next."""
