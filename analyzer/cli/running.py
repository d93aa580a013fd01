"""What the commands that judge share: the session, the case, the captures, and the documents of what was judged."""

import dataclasses
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from analyzer.cli.case.unnamed import place_of_run
from analyzer.cli.opened import opened_case
from analyzer.cli.progress import Progress
from analyzer.cli.wanted import Wanted
from analyzer.config import Config
from analyzer.errors import ConfigError, ForensicsError, InputError, UsageError
from analyzer.pipeline.analyze import analyze as analyze_captures
from analyzer.pipeline.captures import kept_reach, newest_capture
from analyzer.pipeline.history import with_history
from analyzer.pipeline.ingest import ingest as ingest_captures
from analyzer.pipeline.open_only import judge_open
from analyzer.report.actions.plan import with_plans
from analyzer.report.actions.reached import reached
from analyzer.report.assembling.assemble import unusable
from analyzer.scan.capture import Capture, other_name, scan_capture
from analyzer.scan.manifest import moment
from analyzer.scan.request import CaptureRequest
from analyzer.stages.profiling import Profile
from analyzer.storage.case import Case
from analyzer.storage.in_session import rows_of_case
from analyzer.storage.locations import needs_no_session
from analyzer.storage.reading.rows import StoredRows, rows_of_folder


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read: whether checksums are computed, topics whose keys are read, whether keys are kept whole.

    `open_only` reads only the segments that can matter for what is open.
    """

    check_crc: bool = True
    keys: tuple[str, ...] = ()
    store_keys: bool = False
    open_only: bool = False


class Judged(NamedTuple):
    """What a command found: the documents, and how many seconds each stage took."""

    documents: list[dict[str, Any]]
    took: Mapping[str, float]


def requests(
    paths: Sequence[str], name: str | None, captured_at: str | None, reading: Reading, *, each: bool
) -> list[CaptureRequest]:
    """Return what to scan: one capture of all paths, or one of each. Raises UsageError for options that conflict."""
    at = None if captured_at is None else moment("captured_at", captured_at)
    if at is not None and at > time.time() * 1000 + 86_400_000:
        raise UsageError(f"captured_at {captured_at} is in the future.", wanted="the moment the files were taken")
    if not each:
        return [_request(tuple(paths), name, at, reading)]
    if reading.open_only:
        raise UsageError("--open-only judges one capture, --each makes several.", do="leave one of them out")
    if name is not None:
        raise UsageError("--capture names one capture, --each makes several.", do="leave one of them out")
    return [_request((path,), None, at, reading) for path in paths]


def _request(paths: tuple[str, ...], name: str | None, at: int | None, reading: Reading) -> CaptureRequest:
    segments = frozenset[str]() if reading.open_only else None
    return CaptureRequest(paths, name, at, reading.check_crc, reading.keys, reading.store_keys, segments)


def run(wanted_captures: Sequence[CaptureRequest], wanted: Wanted) -> Judged:
    """Ingest and analyze these captures in one session; return their documents in the order given.

    Of several captures, one with nothing to read gets a document of its own, verdict `unusable`.
    """
    with Progress(quiet=wanted.quiet) as progress:
        documents = _judged(wanted_captures, wanted, progress)
    return Judged(documents, progress.took)


def _judged(wanted_captures: Sequence[CaptureRequest], wanted: Wanted, progress: Progress) -> list[dict[str, Any]]:
    config = wanted.config
    scanned = scan(wanted_captures, progress)
    captures = [one for one in scanned if isinstance(one, Capture)]
    if not captures:
        return [_unusable("", one) for one in scanned if isinstance(one, Unusable)]
    with (
        place_of_run(wanted.case, config, captures, progress.clear, quiet=wanted.quiet) as place,
        opened_case(
            place.location,
            config,
            progress,
            captures=captures,
            is_named=wanted.case is not None,
            kept=bool(place.name),
        ) as case,
    ):
        config = _with_reach(config, case)
        if wanted_captures[0].segments is None:
            ingest_captures(case, captures, progress.bytes)
            documents = analyze_captures(case, [one.name for one in captures], config, progress.stage)
        else:
            (request,), (capture,) = wanted_captures, captures
            documents = [judge_open(case, request, capture, config, progress.bytes, progress.stage)]
        judged = iter(with_history(documents, _rows(case)))
        every = [_unusable(case.location, one) if isinstance(one, Unusable) else next(judged) for one in scanned]
    return [reached(_of_case(document, place.name)) for document in every]


def _of_case(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the document under the name of its case; where nothing is kept, its commands name no folder either."""
    named = {**document, "case": name}
    return named if name else with_plans(named)


def ingest(wanted_captures: Sequence[CaptureRequest], wanted: Wanted) -> int:
    """Ingest these captures; return how many files were read.

    Of several captures, those with nothing to read are reported on stderr. Raises InputError if all are such.
    """
    config = wanted.config
    with Progress(quiet=wanted.quiet) as progress:
        scanned = scan(wanted_captures, progress)
        captures = [one for one in scanned if isinstance(one, Capture)]
        faults = [one.fault for one in scanned if isinstance(one, Unusable)]
        if not captures:
            raise faults[0]
        for fault in faults:
            sys.stderr.write(fault.message() + "\n")
        with opened_case(wanted.case or "", config, progress, captures=captures) as case:
            return ingest_captures(case, captures, progress.bytes)


def analyze(name: str | None, wanted: Wanted, profile: Profile | None = None) -> list[dict[str, Any]]:
    """Analyze a stored capture again; return its document. `profile` is told what each stage costs."""
    config = wanted.config
    with Progress(quiet=wanted.quiet) as progress, opened_case(wanted.case or "", config, progress) as case:
        return analyze_captures(
            case, [newest_capture(_rows(case), name, case.location)], _with_reach(config, case), progress.stage,
            profile,
        )  # fmt: skip


def _with_reach(config: Config, case: Case) -> Config:
    """Return the settings with the way to the brokers that was given last for this case, if none is given now."""
    return config if config.reach else dataclasses.replace(config, reach=kept_reach(_rows(case)))


def _rows(case: Case) -> StoredRows:
    return rows_of_folder(case.location) if needs_no_session(case.location) else rows_of_case(case)


@dataclass(frozen=True, slots=True)
class Unusable:
    """A PATH of --each with nothing to analyze, and why."""

    name: str
    fault: ForensicsError


def scan(wanted_captures: Sequence[CaptureRequest], progress: Progress) -> list[Capture | Unusable]:
    """Return the scanned captures, each under its own name; one of several that cannot be used becomes `Unusable`.

    Raises InputError or ConfigError if there is only one and it cannot be used.
    """
    progress.stage("scan")
    scanned: list[Capture | Unusable] = []
    for request in wanted_captures:
        try:
            capture = scan_capture(request)
        except (InputError, ConfigError) as fault:
            if len(wanted_captures) == 1:
                raise
            scanned.append(Unusable(request.paths[0], fault))
            continue
        taken = {one.name for one in scanned}
        if capture.name in taken:
            capture = capture.renamed(other_name(request.paths[0], capture.row["captured_at"], taken))
        scanned.append(capture)
    return scanned


def _unusable(case: str, one: Unusable) -> dict[str, Any]:
    return unusable(case, one.name, one.fault.found, one.fault.wanted, one.fault.do)
