"""A case in a session for as long as a command needs it; Ctrl-C says what is stored, and how to go on."""

import contextlib
import functools
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from operator import itemgetter
from pathlib import PurePath

from analyzer.cli.border import DEBUG
from analyzer.cli.progress import Progress
from analyzer.cli.stopping import ended_by_ctrl_c, raised_by_ctrl_c
from analyzer.config import Config
from analyzer.errors import Stopped, UsageError
from analyzer.scan.capture import Capture
from analyzer.scratch import drop_all
from analyzer.storage.case import Case
from analyzer.storage.checkpoints import checkpoints
from analyzer.storage.engines.choice import choose_engine, is_started
from analyzer.storage.engines.processes import end_processes
from analyzer.storage.locations import needs_no_session
from analyzer.storage.reading.rows import rows_of_folder
from analyzer.storage.room import too_little_room
from analyzer.storage.session import build_session
from analyzer.storage.settings import Work

SMALL_BYTES = 64 << 20
"""Below this much input Spark is started for a quick answer, above it for throughput."""


@contextmanager
def opened_case(
    location: str,
    config: Config,
    progress: Progress,
    *,
    work: Work | None = None,
    captures: Sequence[Capture] | None = None,
    is_named: bool = True,
    kept: bool = True,
) -> Iterator[Case]:
    """Yield the case in a session; a session that was started here is stopped.

    `captures` are what will be read, None if only the case is. `work`: what the session is started for, if not for
    these. Nothing is kept of a stopped command whose case was not named; `kept`: the case outlives any other. Ctrl-C
    says how much is stored: it ends the process where this process starts a session of its own machine, elsewhere it
    raises Stopped.
    """
    if location == "":
        raise UsageError("the case has no name.", wanted="--case FOLDER, or --case schema:NAME")
    input_bytes = None if captures is None else _bytes(captures)
    told = functools.partial(_stopped, location if is_named else None, captures or ())
    try:
        with contextlib.ExitStack() as stack:
            if not is_started():
                stack.enter_context(_at_once(progress, told))
            chosen = stack.enter_context(checkpoints(choose_engine(config, location, input_bytes), location))
            if warning := too_little_room(chosen, location, input_bytes or 0):
                progress.say(warning)
            progress.stage(f"start {chosen.spark.engine.capitalize()}")
            spark, owned = build_session(
                chosen,
                work or _work(input_bytes, captures or ()),
                debug=bool(os.environ.get(DEBUG)),
                notice=progress.stage,
            )
            if owned:
                stack.callback(spark.stop)
            case = Case(spark, location, kept=kept)
            if owned:  # whoever started it may have taken Ctrl-C for himself
                here = case.engine.tasks_are_here()
                stack.enter_context(_at_once(progress, told) if here else raised_by_ctrl_c())
            yield case
    except KeyboardInterrupt as stop:
        raise Stopped(told()) from stop


@contextmanager
def opened_briefly(location: str, config: Config, *, quiet: bool = False) -> Iterator[Case]:
    """Yield the case in a session that was started for a question; `quiet`: without progress on stderr."""
    with Progress(quiet=quiet) as progress, opened_case(location, config, progress, work=Work.BRIEF) as case:
        yield case


def _at_once(progress: Progress, told: Callable[[], str]) -> AbstractContextManager[None]:
    """Let Ctrl-C end the process at once: a call to the engine that an exception cuts off may block every later one."""

    def last_words() -> str:
        progress.clear()
        words = told()
        end_processes()
        drop_all()
        return words

    return ended_by_ctrl_c(last_words)


def _work(input_bytes: int | None, captures: Sequence[Capture]) -> Work:
    if input_bytes is None or input_bytes >= SMALL_BYTES:
        return Work.LARGE
    return Work.BRIEF if len(captures) == 1 else Work.SMALL


def _stopped(location: str | None, captures: Sequence[Capture]) -> str:
    """Return how much of these captures a stopped command has stored, and how to go on; no location: nothing."""
    if location is None:
        return "stopped; nothing is kept of a run without --case."
    wanted = {source.file_id for capture in captures for source in capture.sources()}
    go_on = f"Case: {location}\ndo: the same command with --case {location}"
    if not wanted or not needs_no_session(location):
        return f"stopped; what is stored will not be read again. {go_on}"
    stored = {row["file_id"] for row in rows_of_folder(location)("files", {}, ["file_id"])} & wanted
    return f"stopped; {len(stored)} of {len(wanted)} files are stored and will not be read again. {go_on}"


def _bytes(captures: Sequence[Capture]) -> int:
    """Return how much there is to read. Of logs whose segments may be read later, the newest segment counts."""
    files = [file for capture in captures for file in capture.files if file["absolute_path"]]
    later = [file for file in files if file["file_id"] is None and file["folder_segment"] is not None]
    newest = {PurePath(file["absolute_path"]).parent: file for file in sorted(later, key=itemgetter("folder_segment"))}
    read = (file for file in files if file["file_id"] is not None)
    return sum(file["bytes"] or 0 for file in (*read, *newest.values()))
