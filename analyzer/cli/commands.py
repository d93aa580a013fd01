"""The command line as a whole: what commands there are, and where each is; one is loaded when it is used."""

import ast
import importlib
import importlib.util
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.abc import InspectLoader
from typing import Annotated, Any, cast

import typer
import typer.core

from analyzer.cli.border import DEBUG
from analyzer.cli.options import VersionOption
from analyzer.cli.stopping import ended_by_ctrl_c

ABOUT = """\
Find out from files alone why Kafka transactions hang.

Exit codes: 0 clean, 1 findings, 2 could not run or nothing usable, 3 inconclusive.
"""

COMMANDS = {
    "run": "judging.run:run",
    "ingest": "judging.run:ingest",
    "analyze": "judging.run:analyze",
    "report": "judging.report:report",
    "plan": "kept.rows:plan",
    "evidence": "kept.rows:evidence",
    "detectors": "inspection:detectors",
    "explain": "explaining:explain",
    "route": "expansion:route",
    "expand": "expansion:expand",
    "overhead": "kept.overhead:overhead",
    "compare": "comparison:comparison",
    "rescue": "rescue:rescue",
    "anonymize": "anonymize:anonymize",
    "fetch": "kept.fetching:fetch",
    "who": "lookups.who:who",
    "txn": "lookups.txn:txn",
    "top": "lookups.top:top",
    "timeline": "lookups.timeline:timeline",
    "sql": "inspection:sql",
    "vacuum": "kept.upkeep:vacuum",
    "cases": "kept.listing:cases",
    "watch": "watch:watch",
    "collect-script": "inspection:collect_script",
    "doctor": "inspection:doctor",
    "fetch-jars": "inspection:fetch_jars",
    "submit": "inspection:submit",
}
"""Every command, in the order of the help text: its module below `analyzer.cli`, and its function."""

_ANY_ARGUMENTS = {"submit": {"ignore_unknown_options": True, "allow_extra_args": True}}
_WITHOUT_RICH: dict[str, Any] = {"rich_markup_mode": None, "pretty_exceptions_enable": False}


class _Loaded(Mapping[str, Any]):
    """Commands by name; the module of one is imported when it is asked for, since an engine takes seconds to load."""

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - a command of typer's, of which versions differ
        module, _, function = COMMANDS[name].partition(":")
        with ended_by_ctrl_c():  # half an import may never be tried again
            found = getattr(importlib.import_module(f"analyzer.cli.{module}"), function)
        alone = typer.Typer(add_completion=False, **_WITHOUT_RICH)
        alone.command(name, context_settings=_ANY_ARGUMENTS.get(name))(found)
        return typer.main.get_command(alone)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _Listed(_Loaded):
    """Commands by name as a list shows them, with their help text and without options: none is imported."""

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - as above
        module, _, function = COMMANDS[name].partition(":")
        spec = importlib.util.find_spec(f"analyzer.cli.{module}")
        source = cast("InspectLoader", spec.loader).get_source(spec.name) if spec else None
        every = ast.parse(source or "").body
        found = next(one for one in every if isinstance(one, ast.FunctionDef) and one.name == function)
        return typer.core.TyperCommand(name, help=ast.get_docstring(found))


class Commands(typer.core.TyperGroup):
    """The group of all commands."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - what typer gives
        super().__init__(**attributes)
        self.commands = cast("Any", _Loaded())

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - a context of typer's or of click's
        """Return their names in the order of the help text."""
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """Write the list of commands."""
        with self._listed():
            super().format_commands(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:  # noqa: ANN401 - as above
        """Return the commands that begin like this."""
        with self._listed():
            return list(super().shell_complete(ctx, incomplete))

    @contextmanager
    def _listed(self) -> Iterator[None]:
        loaded, self.commands = self.commands, cast("Any", _Listed())
        try:
            yield
        finally:
            self.commands = loaded


app = typer.Typer(name="txn-forensics", help=ABOUT, cls=Commands, no_args_is_help=True, **_WITHOUT_RICH)


@app.callback()
def common(
    debug: Annotated[bool, typer.Option("--debug", help="Show stack traces and Spark's own log.")] = False,
    version: VersionOption = False,  # noqa: ARG001 - it ends the command itself
) -> None:
    """Take what is said before the command; its help is `ABOUT`."""
    if debug:
        os.environ[DEBUG] = "1"
