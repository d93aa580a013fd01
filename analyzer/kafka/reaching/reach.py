"""How a reader reaches the brokers, and the commands that reach them so: brokers, configuration, what stands before."""

import dataclasses
import itertools
import re
import shlex
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from analyzer.errors import UsageError
from analyzer.kafka.admin_tools import ADMIN, UNSAFE
from analyzer.kafka.reaching.launchers import DIRECT, KNOWN, Launch, NoLaunch, launch_of, own_launch
from analyzer.kafka.reaching.rpk import brokers_of, by_rpk

_HOST = r"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):\d{1,5}"
_BROKERS = re.compile(rf"{_HOST}(?:,{_HOST}){{0,30}}")
_FILE = re.compile(r"(?:~/)?[A-Za-z0-9_./][A-Za-z0-9._/-]{0,250}")
_COMMAND = re.compile(rf"(kafka-[a-z-]+)\.sh {re.escape(ADMIN)}(?= |$)")
_WORD = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""")
_CONFIG = {"kafka-console-consumer": "--consumer.config"}
"""Tools whose option for a configuration is another than --command-config, in the form before 4.2 (KIP-1147)."""
WAY = f"kafka-topics.sh {ADMIN}"
"""The command that shows a way to the brokers and nothing else: `Reach.command` of it can be read by `pasted`."""
OPTIONS, NOWHERE = "options", ""
"""Where a way to the brokers comes from, if from no file."""


@dataclasses.dataclass(frozen=True, slots=True)
class Reach:
    """Brokers as HOST:PORT,..., a file of client settings, what stands before a tool; empty is the reader's own.

    `source`: `options`, or file and line of the command that it was taken from.
    """

    bootstrap: str = ""
    command_config: str = ""
    launch: Launch = DIRECT
    source: str = NOWHERE

    def command(self, text: str) -> str:
        """Return a command of `admin_tools` as it reaches these brokers; any other text as it is."""
        found = _COMMAND.match(text)
        if found is None or not self:
            return text
        if self.launch.rpk:
            return self._by_rpk(text, found[1], _parted(text[found.end() :])[0])
        words = [f"--bootstrap-server {shlex.quote(self.bootstrap)}" if self.bootstrap else ADMIN]
        if self.command_config:
            old = "" if "--formatter-property" in text else _CONFIG.get(found[1], "")
            config = f"{old or '--command-config'} {_quoted(self.command_config)}"
            words += [] if text.startswith(f" {config}", found.end()) else [config]
        options, into = _parted(text[found.end() :])
        return " ".join([self.launch.line(found[1], " ".join([*words, *options])), *into])

    def _by_rpk(self, text: str, tool: str, options: list[str]) -> str:
        """Return the command as rpk asks it; what rpk cannot, Kafka's tool in the reader's own path does."""
        words = by_rpk(tool, options)
        if words is None:
            return Reach(self.bootstrap, self.command_config).command(text)
        brokers = ["-X", f"brokers={shlex.quote(self.bootstrap)}"] if self.bootstrap else []
        return self.launch.line(tool, " ".join([*brokers, *words]))

    def __bool__(self) -> bool:
        """Return whether anything is known."""
        return bool(self.bootstrap or self.command_config or self.launch != DIRECT)

    def told(self) -> dict[str, str]:
        """Return it as a report's document has it; `exec` is the beginning of a command, with a tool as example."""
        beginning = self.launch.line("kafka-topics", "")
        told = {
            "bootstrap": self.bootstrap,
            "command_config": self.command_config,
            "exec": "" if self.launch == DIRECT else beginning,
            "source": self.source,
        }
        return {name: value for name, value in told.items() if value}


UNKNOWN = Reach()
"""The reader's own way: $BOOTSTRAP, tools in the reader's own path."""


def given_way(bootstrap: str | None, command_config: str | None, exec_: str | None, source: str = OPTIONS) -> Reach:
    """Return the way that somebody gives, word for word. Raises UsageError for what a command cannot carry."""
    for option, value in (("--bootstrap", bootstrap), ("--command-config", command_config), ("--exec", exec_)):
        if value is not None and any(unicodedata.category(letter) in UNSAFE for letter in value):
            raise UsageError(f"{option} has a line end or a control character.", wanted="one line of plain characters")
    if bootstrap is not None and not _BROKERS.fullmatch(bootstrap):
        raise UsageError(f"--bootstrap {bootstrap!r}", wanted="HOST:PORT, or several of them with commas between")
    if command_config is not None and (not command_config or command_config.startswith("-")):
        raise UsageError(f"--command-config {command_config!r}", wanted="a file; one that begins with - as ./-NAME")
    launch = _launched(exec_)
    if len(launch.parts) > 1 and not bootstrap and not launch.rpk:
        raise UsageError(
            f"--exec {exec_!r} without --bootstrap.",
            wanted="both: the shell at the other end of ssh does not know this shell's $BOOTSTRAP",
        )
    return Reach(bootstrap or "", command_config or "", launch, source)


def stored(told: Mapping[str, Any]) -> Reach:
    """Return the way that a document tells, checked again as if it were new: nothing if it is not one."""
    try:
        return given_way(
            told.get("bootstrap"), told.get("command_config"), told.get("exec"), str(told.get("source") or NOWHERE)
        )
    except UsageError:
        return UNKNOWN


def pasted(command: str) -> Reach | None:
    """Return the way that a pasted command goes, None for one that does not tell which brokers, or tells more.

    A paste is somebody else's text: hosts, names of containers and files of plain characters are taken, nothing else.
    """
    try:
        launch, rest = launch_of(command)
    except NoLaunch:
        return None
    if launch.rpk:
        brokers = brokers_of(rest)
        return Reach(brokers, "", launch) if not brokers or _BROKERS.fullmatch(brokers) else None
    values = _values(rest)
    brokers, file = values.get("--bootstrap-server", ""), values.get("--command-config", "")
    file = file or values.get("--consumer.config", "")
    if not _BROKERS.fullmatch(brokers) or (file and not _FILE.fullmatch(file)):
        return None
    return Reach(brokers, file, launch)


def agreed(ways: Iterable[Reach]) -> Reach:
    """Return the one way that all commands of a paste go, nothing if they go several: one may be another cluster's."""
    found = list(ways)
    launches, brokers = {one.launch for one in found}, {one.bootstrap for one in found}
    files = {one.command_config for one in found if one.command_config}
    if len(launches) != 1 or len(brokers) != 1 or len(files) > 1:
        return UNKNOWN
    return Reach(brokers.pop(), files.pop() if files else "", launches.pop(), found[0].source)


def _launched(exec_: str | None) -> Launch:
    try:
        return own_launch(exec_) if exec_ is not None else DIRECT
    except NoLaunch as fault:
        raise UsageError(f"--exec {exec_!r}: {fault}.", wanted=KNOWN) from fault


def _values(words: list[str]) -> dict[str, str]:
    """Return the options of a command with their values, up to what a shell takes for its own."""
    values: dict[str, str] = {}
    for word, following in itertools.pairwise([*words, ""]):
        if word in {"|", "||", "&&", ";", ">", ">>", "<"}:
            break
        name, joined, value = word.partition("=")
        if name.startswith("--"):
            values.setdefault(name, value if joined else following)
        if word.endswith(";"):
            break
    return values


def _parted(options: str) -> tuple[list[str], list[str]]:
    """Return the words of a command, quoted as they are, and those that send its output into a file."""
    words = _WORD.findall(options)
    at = words.index(">") if ">" in words else len(words)
    return words[:at], words[at:]


def _quoted(file: str) -> str:
    return file if _FILE.fullmatch(file) else shlex.quote(file)
