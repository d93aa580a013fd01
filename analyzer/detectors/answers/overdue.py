"""A transaction that its coordinator still runs after its timeout: by the answer of `describe` (RULES F 3)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import checks
from analyzer.detectors.answers.evidence import Answered, open_step, otherwise, place, state_step, who
from analyzer.detectors.causes import Cause
from analyzer.detectors.certainty import RESUMES, certainty
from analyzer.detectors.model import Action, Confidence, Explanation, Step, Way
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import span
from analyzer.kafka.known_bugs.coordinator import PARTITION_COUNT
from analyzer.kafka.timeouts import CHECKED_EVERY_MS, NO_TIMEOUT_MS

CERTAIN_AFTER_MS = 60_000
"""As long as brokers before 2.5 take to look for overdue transactions."""


def find(answered: DataFrame) -> DataFrame:
    """Return the transactions that are Ongoing over their timeout by the coordinator's own answer."""
    late = (F.col("answered_at") > F.col("started_ms") + F.col("timeout_ms")) & (F.col("timeout_ms") < NO_TIMEOUT_MS)
    return evidence_of(Answered, answered.where((F.col("standing") == "running") & F.coalesce(late, F.lit(False))))


def how_sure(over_ms: int) -> Confidence:
    """Return how sure it is that a transaction hangs that is so far over its timeout (RULES A 10 b, F 3)."""
    if over_ms > CERTAIN_AFTER_MS:
        return "certain"
    return "likely" if over_ms >= CHECKED_EVERY_MS else "possible"


def explain(e: Answered) -> Explanation:
    """Put the finding into words."""
    over_ms = (e.answered_at or 0) - (e.started_ms or 0) - (e.timeout_ms or 0)
    sure = how_sure(over_ms)
    return Explanation(
        headline=f"the transaction of {who(e)} is {span(over_ms)} over its timeout and was not ended",
        label="open beyond the timeout",
        confidence=sure,
        steps=(*open_step(e), *state_step(e), Step(f"the answer came {span(over_ms)} after its timeout")),
        cause=(
            Cause(
                "the coordinator has not run its check for overdue transactions, or cannot: it is loading, or reads "
                f"its state from another partition ({PARTITION_COUNT.issue})",
                names=(PARTITION_COUNT,),
            ),
        ),
        refuted_by=f"a later answer of describe for {who(e)} that is not Ongoing since the same moment",
        otherwise=otherwise(
            "a transaction that the coordinator is about to end: it was asked within seconds of the timeout"
            if over_ms <= CERTAIN_AFTER_MS
            else None
        ),
        certainty=certainty(
            (sure, f"it is Ongoing, {span(over_ms)} over its timeout", e.state_ref),
            ("possible", "answers of tools do not show why the coordinator did not end it", None),
            ("ask", f"nothing was decided, but {RESUMES} may still commit it", e.state_ref),
        ),
        action=Action(
            kind="wait",
            word="ask the owner",
            summary=f"ASK ITS OWNER FIRST: {RESUMES} still commits this transaction when its job is restarted. For any "
            f"other client, let the coordinator end it: it looks for overdue transactions every 10 s. Nothing is "
            f"decided for {place(e)}.",
            check=checks.of_id(e.transactional_id, "TransactionState Ongoing, the same CurrentTransactionStartTimeMs"),
            state="Ongoing",
            decided="nothing",
        ),
    )  # fmt: skip


ANSWERED = Way(("answered",), Answered, find, explain, needs=("answers",))
