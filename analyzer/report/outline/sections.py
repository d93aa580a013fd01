"""The sections of an outline after the incidents in full: lists of findings and transactions, checks, gaps."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from analyzer.report.document.group_rows import Expiry, GroupImpact
from analyzer.report.document.types import Document, Finding, OpenTransaction, Partition
from analyzer.report.outline.folds import ORPHANED, orphan_lines, timeout_words
from analyzer.report.outline.parts import Drawing, Item, Part, Section, Text
from analyzer.report.sentences.cells import name, pad, width
from analyzer.report.sentences.commands import place_of
from analyzer.report.sentences.gaps import checks_not_run, gaps, if_it_leads, open_words
from analyzer.report.sentences.open_for_long import endless, is_endless, long_running
from analyzer.report.sentences.partition_counts import keyed_sentences, routing_sentences, threshold_lines
from analyzer.report.sentences.quantities import counted, duration, few, size, span
from analyzer.report.sentences.times import Clock
from analyzer.report.triage.incident import Incident, where
from analyzer.report.triage.triage import Triage
from analyzer.tables.action_words import CALM

NAMED = 3
"""Files of many that do not matter and are named."""
LISTED, ROWS, BRIEF = 100, 20, 10
"""Entries of a list of findings, of one that a reader acts on, of one that is there for completeness."""
GROUPS = 5
"""Groups that are named for each transaction."""
ASK = (
    "Ask the owner of the id whether its transaction manager commits or aborts, and let that client do it. "
    "forceTerminateTransaction, or a new producer with this id, would abort the transaction, although a commit may "
    "have been decided outside Kafka."
)


def briefs(
    title: str, incidents: Sequence[Incident], left_out: int, document: Document, listed: int = LISTED
) -> Section:
    """Return a section with a line for each incident; `left_out` were counted but are not in the document."""
    shown = incidents[:listed]
    widest = max((width(one.action) for one in shown), default=0)
    lines = [
        Item(
            f"[{one.number}] {pad(one.action, widest)}  {name(where(one.finding))}{_short(one.finding)}",
            finding_id=one.finding["id"],
        )
        for one in shown
    ]
    number = shown[0].number if shown else ""
    pointer = f"The steps of a row: txn-forensics plan {number} {place_of(document)}"
    told = (Text(pointer, "quiet"),) if shown else ()
    return Section(title, ((*lines, *more(len(incidents) - len(shown) + left_out, "not listed"), *told),))


def aside_title(asides: Sequence[Incident]) -> str:
    """Return the title of what is seen besides; it promises that there is nothing to do only where that is so."""
    return "Also seen, no action needed" if all(one.action in CALM for one in asides) else "Also seen"


def _short(finding: Finding) -> str:
    """Return offsets, owner and label of a finding, or its headline where it has no label."""
    owner, label, first = finding["transactional_id"], finding.get("label"), finding["first_offset"]
    if owner is None or not label:
        return f": {finding['headline']}"
    offsets = "" if first is None else f" {span(first, finding['last_offset'])}"
    return f"{offsets} {name(owner)}: {label}"


def more(number: int, what: str) -> tuple[Part, ...]:
    """Return the line that says how many were left out, if any were."""
    return (Text(f"and {number} more, {what}", "quiet"),) if number > 0 else ()


def omitted(document: Document, what: str) -> int:
    """Return how many of something were counted but are not in the document."""
    counts: Mapping[str, Any] = document.get("omitted") or {}
    return counts.get(what) or 0


def orphans(document: Document) -> Section:
    """Return the open transactions of orphaned states, the offset to end each at first."""
    return listed(ORPHANED, _items(orphan_lines(document)))


def undecided(triaged: Triage) -> Section:
    """Return the transactions that the files cannot judge: why, and what to fetch."""
    items = [
        Item(
            open_words(one),
            tuple(filter(None, (one.get("why"), f"fetch: {fetch}" if (fetch := one.get("fetch")) else ""))),
        )
        for one in triaged.undecided
    ]
    return listed("Undecided: do not abort these on this report alone", items)


def contested(document: Document, triaged: Triage) -> Section:
    """Return the partitions that are stuck only if a certain replica leads: where each replica's LSO stands."""
    items = [
        Item(if_it_leads(document, place), (f"ask: kafka-topics.sh --describe --topic {name(place[0])}",))
        for place in sorted(triaged.contested)
    ]
    return listed("Stuck or not: it depends on which replica leads, and nothing here shows that", items)


def without_timeout(document: Document, clock: Clock) -> Section:
    """Return the open transactions that no coordinator ends; empty where there are none."""
    items = [Item(open_words(one), tuple(_endless(one, document, clock))) for one in endless(document)]
    ask = (Text(ASK),) if items else ()
    return listed("Open without a timeout: only their owners end these", items, ask)


def _endless(one: OpenTransaction, document: Document, clock: Clock) -> Iterator[str]:
    """Yield since when it is open, what waits at its offset, and which groups."""
    since, captured_at = one.get("without_timeout_since"), document["capture"]["captured_at"]
    if since is not None:
        age = f", for {duration(captured_at - since)}" if captured_at is not None else ""
        yield f"Ongoing since {clock.moment(since)}{age}; its timeout is 2147483647, that is none (two-phase commit)"
    here = [row for row in document["partitions"] if row["authority"] and _same_place(row, one)]
    for row in here:
        held = row["lso"] == max(one["first_offset"], row["log_start_offset"])
        yield f"the LSO is {row['lso']}{'' if held else ', held by another transaction'}: {_waiting(row)}"
    groups = [row["group"] for row in document.get("group_impact") or [] if _same_place(row, one)]
    if groups:
        yield f"groups that wait: {few([*map(name, groups)], GROUPS)}"


def _waiting(row: Partition) -> str:
    records, waiting_bytes = row["blocked_records"], row["blocked_bytes"]
    if records is None:
        return "the files that show what waits are not here"
    return f"{counted(records, 'record')}{'' if waiting_bytes is None else f' ({size(waiting_bytes)})'} wait"


def _same_place(row: Partition | GroupImpact, one: OpenTransaction) -> bool:
    return (row["topic"], row["partition"]) == (one["topic"], one["partition"])


def in_flight(triaged: Triage, document: Document) -> Section:
    """Return the transactions that are simply under way."""
    captured_at = document["capture"]["captured_at"]
    running = [one for one in triaged.in_flight if not is_endless(one)]
    shown = [f"{open_words(one)}  {one['verdict']}{timeout_words(one, captured_at)}" for one in running[:BRIEF]]
    unlisted = omitted(document, "open_transactions")
    left = (*more(len(running) - BRIEF, "like these"), *more(unlisted, "counted but not listed"))
    different = {(one["producer_id"], one["producer_epoch"]) for one in running}
    several = f" in {len(running)} partitions" if len(running) > len(different) else ""
    number = f": {counted(len(different), 'transaction')}{several}" if shown else ""
    calm = "" if long_running(document) else ", nothing to do"
    return Section(f"In flight{calm}{number}", ((*_items(shown), *left),))


def checked(document: Document) -> Section:
    """Return what a clean report rests on: the partitions with their bounds."""
    judged = [one for one in document["partitions"] if one["authority"]] if document["verdict"] == "clean" else []
    bounds = [
        f"{name(one['topic'] + '-' + str(one['partition']))}  "
        f"{one['log_start_offset']}..{one['log_end_offset']}  LSO {one['lso']}"
        for one in judged[:BRIEF]
    ]
    items = [Item(f"{counted(len(judged), 'partition')} judged", tuple(bounds))] if judged else []
    return Section("Checked", ((*items, *more(len(judged) - BRIEF, "like these")),))


def keyed(document: Document, clock: Clock) -> Section:
    """Return what the keys say of each topic's counts, and the threshold map of those that were expanded."""
    told = _items(keyed_sentences(document.get("keyed_topics") or [], clock))
    lines = threshold_lines(document.get("thresholds") or [])
    return Section("Keyed topics", (((*told, Drawing(tuple(lines))) if lines else told),))


def expired(document: Document, clock: Clock) -> Section:
    """Return the ids that are gone or due, those with open transactions first."""
    rows = [one for one in document.get("expiry") or [] if one["id_status"] in {"due", "expired"}]
    left = len(rows) - BRIEF
    more_ids = [f"and {counted(left, 'id')} more, in the JSON document"] if left > 0 else []
    return Section("Ids that expired", (_items([*(_expired(one, clock) for one in rows[:BRIEF]), *more_ids]),))


def _expired(row: Expiry, clock: Clock) -> str:
    """Return one producer's sentence."""
    who = f"producer {row['producer_id']}"
    transactional_id = row.get("transactional_id")
    if transactional_id is not None:
        who = f"{name(transactional_id)} ({who})"
    if row["outlived"]:
        left = "open transaction" if row["open_transactions"] == 1 else f"{row['open_transactions']} open transactions"
        return f"{who}: no coordinator knows it any more, so its {left} must be aborted by hand"
    expires = row.get("id_expires_ms")
    when = f" at {clock.moment(expires)}" if expires is not None else ""
    return f"{who}: its transactional.id {'was deleted' if row['id_status'] == 'expired' else 'could expire'}{when}"


def routing(document: Document) -> Section:
    """Return the partition counts that were tried, unless every one of them simply fits."""
    told = document["verdict"] == "clean" or not all(one["fits"] for one in document["routing"]["counts"])
    return Section("Partition counts of internal topics", (_items(routing_sentences(document) if told else []),))


def not_visible(document: Document) -> Section:
    """Return what the capture lacks, and the checks that did not run because of it."""
    items = [Item(told, (f"fetch: {fetch}",) if fetch else ()) for told, fetch in gaps(document)]
    skipped = _items(f"checks not run: {codes}: {reason}" for reason, codes in checks_not_run(document))
    return listed("Not visible in this capture", items, skipped)


def not_read(document: Document) -> Section:
    """Return the files that no reader opened, with why: each by name where there are few."""
    items = []
    for group in document["coverage"].get("not_read") or []:
        names = [f"{name(one['file'])} ({size(one.get('bytes') or 0)})" for one in group["listed"]]
        if group["files"] == len(names) == 1:
            items.append(Item(f"{names[0]}: {group['why']}"))
            continue
        shown = names[: BRIEF if group["may_matter"] or group["files"] <= BRIEF else NAMED]
        left = f"and {group['files'] - len(shown)} more" if group["files"] > len(shown) else ""
        what = f"{counted(group['files'], 'file')} ({size(group['bytes'])}): {group['why']}"
        items.append(Item(what, tuple(filter(None, (", ".join(shown), left)))))
    return Section("Files not read", (tuple(items),))


def unparsed(document: Document) -> Section:
    """Return the first lines that no grammar took."""
    runs = document["unparsed"]["files"][:BRIEF]
    items = [
        Item(f"{run['file']}:{run['line']}  {counted(run['lines'], 'line')}: {run['reason']}", quote=run["text"])
        for run in runs
    ]
    left = document["unparsed"]["lines"] - sum(run["lines"] for run in runs)
    return Section("Lines not understood", ((*items, *more(left, "lines, not listed")),))


def _items(sentences: Iterable[str]) -> tuple[Item, ...]:
    return tuple(map(Item, sentences))


def listed(title: str, items: Sequence[Item], beside: Sequence[Part] = ()) -> Section:
    """Return a section of the first of these items, how many more there are, and what stands beside them."""
    return Section(title, ((*items[:ROWS], *more(len(items) - ROWS, "not listed"), *beside),))
