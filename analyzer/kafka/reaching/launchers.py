"""What stands before a tool of Kafka's in a command, as words that are safe to print again: `kubectl exec ... -- bin/`.

Only launchers whose quoting is known are taken, with options that start nothing else. `sh -c` is left out, since each
launcher but ssh hands its words on as they are; `unset NAME` in it becomes `env -u NAME`.
"""

import dataclasses
import re
import shlex
from collections.abc import Sequence

TOOL = re.compile(r"((?:[A-Za-z0-9._-]*/)*)(rpk|kafka-[a-z]+(?:-[a-z]+)*)(\.sh)?")
_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9._@:/+=-]{0,253}")
_UNSET = re.compile(r"\s*unset\s+((?:JMX|KAFKA)_[A-Z0-9_]{1,60})\s*(?:&&|;)\s*")
_PROGRAMS = re.compile(r"(?:/usr(?:/local)?)?(?:/bin/)?([a-z-]+)")
_MOST = 6
"""Launchers in a row."""


@dataclasses.dataclass(frozen=True, slots=True)
class Launch:
    """The words before a tool, those for each shell apart (ssh begins another), its folder, and how its name ends.

    `rpk`: the tool is rpk, whatever it asks.
    """

    parts: tuple[tuple[str, ...], ...] = ((),)
    folder: str = ""
    suffix: str = ".sh"
    rpk: bool = False

    def line(self, tool: str, rest: str) -> str:
        """Return the command for a shell: `tool` has no suffix, `rest` is quoted for a shell already."""
        *outer, inner = self.parts
        name = self.folder + ("rpk" if self.rpk else tool) + self.suffix
        text = " ".join([*map(shlex.quote, (*inner, name)), *([rest] if rest else [])])
        for words in reversed(outer):
            text = " ".join([*map(shlex.quote, words), shlex.quote(text)])
        return text


DIRECT = Launch()
"""Nothing stands before a tool: it is in the reader's own path."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Form:
    """A launcher: its verbs, how many names follow, and which options it takes.

    `valued` options keep their value, `dropped` ones are of no use to a command whose output is read; `own` are valued
    options that only the reader may give, since they name programs, hosts or credentials.
    """

    verbs: tuple[str, ...] = ()
    names: int = 0
    valued: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    another_shell: bool = False


_TERMINAL = frozenset({"-i", "-t", "-it", "-ti", "--stdin", "--tty", "--interactive", "-T"})
_POD = _Form(
    ("exec",), 1, frozenset({"-n", "--namespace", "-c", "--container", "--context"}), dropped=_TERMINAL,
    own=frozenset({"--kubeconfig", "--cluster", "--user", "-s", "--server"}),
)  # fmt: skip
_CONTAINER = _Form(
    ("exec",), 1, frozenset({"-u", "--user"}), dropped=_TERMINAL,
    own=frozenset({"-H", "--host", "--context", "-e", "--env", "-w", "--workdir", "-f", "--file", "-p"}),
)  # fmt: skip
_SERVICE = dataclasses.replace(_CONTAINER, kept=frozenset({"-T"}))
_FORMS = {
    "sudo": _Form(valued=frozenset({"-u"}), kept=frozenset({"-E", "-n", "-H"})),
    "kubectl": _POD,
    "oc": _POD,
    "kubectl-kafka": _Form(),
    **dict.fromkeys(("docker", "podman", "nerdctl", "crictl"), _CONTAINER),
    **dict.fromkeys(("docker-compose", "docker compose", "podman compose"), _SERVICE),
    "ssh": _Form(
        names=1, valued=frozenset({"-p", "-l"}), dropped=frozenset({"-t", "-tt", "-q", "-T", "-n"}),
        own=frozenset({"-i", "-J", "-F"}), another_shell=True,
    ),
    "env": _Form(valued=frozenset({"-u"})),
}  # fmt: skip
KNOWN = (
    "sudo [-u USER], kubectl or oc exec POD [-n NAMESPACE] [-c CONTAINER] --, docker or podman exec CONTAINER, ssh "
    "[USER@]HOST, env -u NAME, in any row, "
    "and the folder of Kafka's scripts, or rpk: kubectl exec kafka-0 -n ns -- bin/"
)


class NoLaunch(ValueError):
    """The words before a tool are not of the known forms; the message says which."""


def launch_of(command: str) -> tuple[Launch, list[str]]:
    """Return what stands before the tool in somebody else's command, and the words after the tool. Raises NoLaunch."""
    return _launch(command, own=False)


def own_launch(prefix: str) -> Launch:
    """Return what the reader wants before each tool: launchers, perhaps a folder, perhaps any tool. Raises NoLaunch."""
    launch, rest = _launch(prefix, own=True)
    if rest:
        raise NoLaunch(f"{rest[0]!r} follows the tool")
    return launch


def _launch(text: str, *, own: bool) -> tuple[Launch, list[str]]:
    words, parts = _words(text), [list[str]()]
    for _ in range(_MOST):
        if not words and own:
            return Launch(_frozen(parts)), []
        found = TOOL.fullmatch(words[0]) if words else None
        if found:
            return Launch(_frozen(parts), found[1], found[3] or "", found[2] == "rpk"), words[1:]
        if own and len(words) == 1 and words[0].endswith("/") and _PLAIN.fullmatch(words[0]):
            return Launch(_frozen(parts), words[0]), []
        words = _launched(words, parts, own=own)
    raise NoLaunch("no tool of Kafka's follows")


def _launched(words: list[str], parts: list[list[str]], *, own: bool) -> list[str]:
    """Put the first launcher's words with the others, and return what it launches."""
    if not words:
        raise NoLaunch("no tool of Kafka's follows")
    if words[0] in {"bash", "sh", "/bin/bash", "/bin/sh"}:
        return _script(words, parts)
    program = _PROGRAMS.fullmatch(words[0])
    pair = " ".join(words[:2])
    name = pair if pair in _FORMS else program[1] if program else ""
    form = _FORMS.get(name)
    if form is None:
        raise NoLaunch(f"{words[0]!r} is no launcher whose quoting is known")
    taken, rest = _of_form(form, words, name.count(" ") + 1, own=own)
    parts[-1] += taken
    if form.another_shell:
        parts.append([])
        rest = _words(" ".join(rest))
    return rest


def _of_form(form: _Form, words: list[str], at: int, *, own: bool) -> tuple[list[str], list[str]]:
    """Return a launcher's own words, and what follows them."""
    taken, wanted = words[:at], len(form.verbs) + form.names
    places = list[str]()
    while at < len(words) and (words[at].startswith("-") or len(places) < wanted):
        word, name = words[at], words[at].partition("=")[0]
        at += 1
        if word == "--":
            taken.append(word)
            break
        if word in form.kept:
            taken.append(word)
        elif word in form.dropped:
            continue
        elif name in form.valued or (own and name in form.own):
            value = [] if "=" in word and name.startswith("--") else words[at : at + 1]
            taken += [_plain(word.lstrip("-")) and word, *map(_plain, value)]
            at += len(value)
        elif word.startswith("-"):
            raise NoLaunch(f"the option {word!r} of {words[0]!r} is not known")
        else:
            places.append(_plain(word))
            taken.append(word)
    if len(places) < wanted or tuple(places[: len(form.verbs)]) != form.verbs:
        raise NoLaunch(f"{words[0]!r} lacks {' '.join(form.verbs) or 'a name'}")
    return taken, words[at:]


def _script(words: Sequence[str], parts: list[list[str]]) -> list[str]:
    """Return the words of `sh -c SCRIPT`, a single command."""
    if len(words) != len(("sh", "-c", "SCRIPT")) or words[1] != "-c":
        raise NoLaunch("a shell is known as sh -c with one command")
    script = words[2]
    while unset := _UNSET.match(script):
        parts[-1] += ["env", "-u", unset[1]]
        script = script[unset.end() :]
    return _words(script)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as fault:
        raise NoLaunch("a quote is not closed") from fault


def _plain(word: str) -> str:
    if not _PLAIN.fullmatch(word):
        raise NoLaunch(f"{word!r} has characters that a shell changes")
    return word


def _frozen(parts: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, parts))
