"""A transaction that is open in a partition while its coordinator has none: by answers of admin tools (RULES F 2)."""

from pyspark.sql import DataFrame

from analyzer.detectors.answers import evidence as asked
from analyzer.detectors.certainty import certainty
from analyzer.detectors.model import Action, Confidence, Explanation, Step, Way
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import span
from analyzer.kafka.topics import OFFSETS_TOPIC

STANDINGS = ("hanging", "resting", "moved", "unlisted", "aged", "stuck")
"""What `answered` says of those that hang."""
_WHY = {
    "hanging": "find-hanging asked leader and coordinators: it is older than the limit, and none that answered runs it",
    "resting": "a running transaction would be Ongoing: no coordinator will write a marker here",
    "moved": "the id went on with a higher epoch: no coordinator will write a marker for this one",
    "stuck": "the LSO stood there when the tool looked; the coordinator was not asked whether it runs the transaction",
    "unlisted": "the transaction that the coordinator runs does not include this partition",
}


def find(answered: DataFrame, opens: DataFrame) -> DataFrame:
    """Return what hangs by the answers, without what the files' own times show already (RULES D 4)."""
    known = opens.where("judgement.aged_by IS NOT NULL").select("capture", "topic", "partition", "producer_id")
    rows = answered.where(answered.standing.isin(*STANDINGS) & answered.first_offset.isNotNull())
    return evidence_of(asked.Answered, rows.join(known, ["capture", "topic", "partition", "producer_id"], "left_anti"))


def explain(e: asked.Answered) -> Explanation:
    """Put the finding into words."""
    sure = _confidence(e)
    why = _WHY.get(e.standing) or _age(e)
    ref = e.state_ref or e.open_ref
    return Explanation(
        headline=f"a transaction of {asked.who(e)} in {asked.place(e)} is open, and nothing will end it",
        label="cause unknown",
        confidence=sure,
        steps=(*asked.open_step(e), *asked.state_step(e), *_all_asked(e), Step(why)),
        cause=(),
        refuted_by=f"a later answer of describe-producers for {asked.place(e)} without this transaction",
        otherwise=asked.otherwise(_other(e, sure)),
        settled_by=f"for the cause: the .log segments of {asked.place(e)} from offset {e.first_offset} on, "
        "and __transaction_state",
        certainty=certainty(
            (sure, f"{why} ({asked.at(e.answered_at)})", ref),
            ("possible", "answers of tools show that it hangs, not why", None),
            ("no", "what was decided is not known: the producer may believe it is committed; rescue it first", ref),
        ),
        action=Action(
            kind="save_then_abort",
            word="do not abort yet",
            summary=f"DO NOT ABORT YET. {_again(e)} records, then abort: an abort discards records that the "
            "producer may believe are committed.",
            state=e.state,
        ),
    )


def _all_asked(e: asked.Answered) -> tuple[Step, ...]:
    """Say by what no coordinator was left out, where find-hanging alone tells that none has it."""
    if e.denied or e.led_by is None or e.standing != "hanging":
        return ()
    hidden = f", and no broker hides an id from who asks ({e.open_by})" if e.open_by else ""
    return (Step(f"every partition of __transaction_state had a leader to ask ({e.led_by}){hidden}"),)


def _other(e: asked.Answered, sure: Confidence) -> str | None:
    """Return what it could be instead."""
    if e.follower is not None:
        return (
            f"a transaction that only broker {e.follower} has open: another broker leads {asked.place(e)}, and no "
            "answer of it shows this"
        )
    if _by_answers(e) == "certain" != sure:
        return _unnamed(e)
    if _by_its_client(e):
        return "a transaction that runs: its client gives its records any time, and its coordinator was not asked"
    return None if sure == "certain" else "a transaction that ended between the answers: they are of different moments"


def _unnamed(e: asked.Answered) -> str:
    """Return what find-hanging names although a coordinator runs it (RULES F 10)."""
    hidden = "of an id that who asked may not describe: find-hanging takes it for hanging"
    if e.led_by is None:
        return f"a transaction of a coordinator that was not up when find-hanging asked, or {hidden}"
    return f"a transaction {hidden}; every coordinator was there ({e.led_by}). Ask as a super user"


def _confidence(e: asked.Answered) -> Confidence:
    """Return how sure it is; find-hanging alone is not, since it names what a coordinator that is not up runs, too.

    Nor does it see what its asker may not describe. Where neither can be, no coordinator has it (RULES F 10 a). An
    answer of its coordinator that the transaction runs or is decided does not speak for it.
    """
    sure = _by_answers(e)
    told = e.denied or (e.led_by is not None and e.open_by is not None)
    return sure if told or sure != "certain" else "likely"


def _by_answers(e: asked.Answered) -> Confidence:
    """Return how sure it is if every coordinator answered: find-hanging may have been asked with a low limit.

    Open before and after its coordinator answered that it runs no such transaction: nothing ended in between. What was
    written to less than a minute before, or when no answer tells, may have ended or begun between two answers. What
    only a follower has open the leader may have ended.
    """
    if e.standing == "stuck" or _by_its_client(e):
        return "possible"
    if e.follower is not None:
        return "likely" if e.standing == "hanging" and not e.raced else "possible"
    if e.standing == "hanging":
        age_ms = (e.answered_at or 0) - (e.last_ms or 0)
        if age_ms >= e.max_timeout_ms:  # the tool prints whole minutes
            return "certain"
    if asked.twice(e):
        return "certain" if e.state_between and e.standing != "aged" else "likely"
    return "possible" if (e.raced or e.answered_at is None) and e.standing in {"resting", "unlisted"} else "likely"


def _by_its_client(e: asked.Answered) -> bool:
    """Whether nothing but its last batch's time says that it is old, which the client gave (RULES D 4)."""
    return e.standing == "aged" and (e.seen_ms or 0) <= e.max_timeout_ms and e.topic != OFFSETS_TOPIC


def _again(e: asked.Answered) -> str:
    """Return what comes before an abort: a coordinator that is not up may have decided COMMIT (RULES F 10)."""
    led = "No answer of its coordinator is here that it is over: first see that every partition of __transaction_state "
    led = "" if e.denied or e.led_by is not None else f"{led}has a leader. "
    if asked.twice(e):
        return f"{led}It was there at two moments, {span(e.seen_ms or 0)} apart. Save its"
    return f"{led}These answers are of one moment: ask again. If it is still open, save its"


def _age(e: asked.Answered) -> str:
    open_for = (e.answered_at or 0) - (e.last_ms or 0)
    if (e.seen_ms or 0) > e.max_timeout_ms:
        age = f"it was open at two moments, {span(e.seen_ms or 0)} apart"
    else:
        age = f"its last batch was {span(open_for)} old when the tools were asked"
    return f"{age}; no client may ask for more than {span(e.max_timeout_ms)}, and its coordinator was not asked"


ANSWERED = Way(("answered",), asked.Answered, find, explain, beside=("opens",), needs=("answers",))
