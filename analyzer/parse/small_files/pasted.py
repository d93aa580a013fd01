"""Tables of admin tools, the commands above them and lines of logs, wherever a paste holds them (RULES F 1, F 5).

What stands before a line, or was put in place of its characters, is taken off for tables and commands
(`analyzer/kafka/wrapped_lines.py`); logs are searched as they stand.
"""

from collections.abc import Sequence

from analyzer.kafka.log_lines.heads import LOGGED, OF_CLIENT
from analyzer.kafka.pasting.around_rows import Around, around, around_first, may_tell
from analyzer.kafka.pasting.characters import as_typed, without_colours
from analyzer.kafka.pasting.dates import Dates
from analyzer.kafka.pasting.fences import unfenced
from analyzer.kafka.pasting.mails import Mails
from analyzer.kafka.pasting.table_bars import is_rule, without_bars, without_commas
from analyzer.kafka.wrapped_lines import HEAD_BYTES, NAMED, quoted, unwrapped
from analyzer.parse.answers.java_objects import answers_in
from analyzer.parse.answers.objects import Place
from analyzer.parse.answers.table_rows import Answer
from analyzer.parse.answers.told import Observation
from analyzer.parse.answers.values import Values
from analyzer.parse.console.between import ConsoleLines
from analyzer.parse.logs.continued import Continued
from analyzer.parse.logs.gauges import Gauges
from analyzer.parse.logs.layouts import moment_in
from analyzer.parse.logs.line import LogLine
from analyzer.parse.logs.reader import MOST_CHARACTERS, Placed, add as add_log_line, beginning, said
from analyzer.parse.logs.threads import Threads
from analyzer.parse.rows import Rows
from analyzer.parse.sections import Section
from analyzer.parse.small_files.admin_tables import ASKED, Tables, Taken, begins_table
from analyzer.parse.small_files.commands import Commands, is_command
from analyzer.parse.small_files.exporters import Exporters
from analyzer.parse.small_files.lags import Lags
from analyzer.parse.small_files.other_brokers import OtherBrokers
from analyzer.parse.stream import Lines
from analyzer.tables.answer_facts import ANSWERS, LOG_LINES
from analyzer.tables.fact_columns import PLACE

_HEAD = 300
_OF_LOG_LINES = LOG_LINES.names[len(PLACE) :]
_OF_ANSWERS = ANSWERS.names[len(PLACE) :]


class Pasted:
    """What the lines before told: the command, the header of a table, the time of a log's last line."""

    def __init__(self, rows: Rows, name: str = "") -> None:
        """Begin with nothing; a file's `name` may tell the partition of its table."""
        self._rows = rows
        self._tables = Tables(name)
        self._exporters, self.values, self._gauges = Exporters(), Values(), Gauges()
        self._silent_at: tuple[int, int, int] | None = None  # the first metric that shows nothing of transactions
        self._undecoded_at: dict[Place, tuple[int, int, int]] = {}  # the first record of each that nobody decoded
        self._others = OtherBrokers()
        self._console = ConsoleLines(rows)
        self._logged_ms: int | None = None
        self._continued, self._threads = Continued(), Threads()
        self._wrapped = False  # whether something stood before the header, and so stands before its rows
        self._barred = False  # its cells stand between bars or commas
        self._mails, self._dates, self._lags = Mails(), Dates(), Lags()
        self._marks: int | None = None
        """The marks of quoting before the first answer, and the mails above it that go on below."""
        self._named = ""  # the pod and container before it
        self._around: Around | None = None
        """What else stands around the rows of the table, or of the first one."""
        self._inside = self._looked = False
        """Whether that is so in the current table; whether the text's beginning was looked at."""

    @property
    def commands(self) -> Commands:
        """The commands that were pasted so far."""
        return self._tables.commands

    def take(self, lines: Lines, section: Section) -> bool:
        """Take the line at the cursor, if it is such a line, and return whether it is; the cursor stays."""
        text = without_colours(beginning(lines))
        self._threads.see(text)
        self._see_others(text, (section.number, lines.number, lines.offset))
        if self._take_objects(lines, section, text):
            return True
        row = self._between(lines, text)
        if LOGGED.search(text if row is None else row, 0, _HEAD):
            known = self._take_log_line(lines, section, text, begins=True)
            return known or _framed(text, row)
        whole = unwrapped(text if row is None else row)
        if self._console.take(whole, lines.number, lines.offset):
            return True
        bare = whole[:MOST_CHARACTERS]
        at = (section.number, lines.number, lines.offset)
        if self._mails.take(bare, lines.number) or self._dates.see(bare, at, is_command):
            return True
        exported = self._exported(bare, at)
        told = self._told(lines, text, bare) if exported is None else exported
        if told is not None:
            self._undecoded_at |= dict.fromkeys(self.values.undecoded.keys() - self._undecoded_at.keys(), at)
            for line in told:
                if isinstance(line, dict) and "asked" in line:
                    self._add_answer(at, line | {"quoted": self._quoted(text)})
                else:
                    self._add(line, lines, section)
            if not told and exported is None:
                self._logged_ms = None  # in JSON the time of a message stands above or below it
                self._take_log_line(lines, section, text)
            return True
        taken = self._take_of_table((text if row is None else row)[:MOST_CHARACTERS], bare)
        if isinstance(taken, tuple) or (isinstance(taken, dict) and "says" in taken):
            self._add(self._with_quotes(taken, text), lines, section)
        elif isinstance(taken, dict):
            self._add_answer(at, taken | {"quoted": self._quoted(text)})
        self._add_of_commands(text, at)
        if not taken:
            return self._take_log_line(lines, section, text)
        return True

    def _between(self, lines: Lines, text: str) -> str | None:
        """Return a line without what stands around the rows of the table; None where nothing does."""
        if not self._looked:
            self._looked = True
            head = lines.buffer[lines.at : lines.at + HEAD_BYTES].decode("utf-8", "replace")
            self._around = around_first(map(as_typed, map(without_colours, head.splitlines())))
        if self._around is None and not may_tell(text):
            return None
        typed = as_typed(text)
        found = around(typed)
        self._around, self._inside = found or self._around, found is not None or self._inside
        if self._inside and found is None and begins_table(unwrapped(text)):
            self._inside = False
        row = self._around.bare(typed) if self._around else None
        if row is None or (row == typed and not self._inside):
            return None
        return row if self._inside or is_command(unwrapped(row)) else None

    def _add_of_commands(self, text: str, at: tuple[int, int, int]) -> None:
        """Add how a command reaches the brokers, and what those before it ended."""
        ended = [self._with_quotes(one, text) for one in self._tables.ended()]
        for told in (*ended, self._tables.way):
            if isinstance(told, tuple):
                self._rows.add_row(("observations", told), at)

    def _quoted(self, text: str) -> int | None:
        """Return by how many marks of quoting, or mails, a row is older than the first one; None for none."""
        marks = quoted(text) + self._mails.older
        self._marks = marks if self._marks is None else self._marks
        return marks - self._marks or None

    def _with_quotes(self, told: Observation | LogLine, text: str) -> Observation | LogLine:
        """Return the head of a table with the marks of quoting before it."""
        if isinstance(told, dict) or told[0] not in ASKED:
            return told
        return (*told[:5], self._quoted(text), told[6])

    def close(self, last_line: int) -> None:
        """Write what is known at the end of the file only."""
        for ended in self._tables.ended(at_end=True):
            self._rows.add_row(("observations", ended), (0, last_line, 0))
        self._console.close(last_line)
        told = [*self._lags.told()]
        if (silent := self._exporters.silent) and self._silent_at:
            told.append((self._silent_at, silent))
        told += [(self._undecoded_at[place], line) for place, line in sorted(self.values.undecoded.items())]
        for at, line in told:
            self._rows.add("log_lines", at, **{name: line.get(name) for name in _OF_LOG_LINES})

    def _exported(self, bare: str, at: tuple[int, int, int]) -> Sequence[Observation | LogLine] | None:
        told = self._exporters.take(bare)
        if self._silent_at is None and self._exporters.silent:
            self._silent_at = at
        return told

    def _told(self, lines: Lines, text: str, bare: str) -> Sequence[Observation | LogLine] | None:
        """Return what a line of a value or of a gauge tells, perhaps nothing; None for any other."""
        told = self.values.take(lines, text, bare, self.commands.address)
        return self._gauges.take(bare) if told is None else told

    def _add(self, told: Observation | LogLine, lines: Lines, section: Section) -> None:
        at = (section.number, lines.number, lines.offset)
        dated = self._dates.dated({}).get("answered_ms")  # an answer is not of the time of the log above it
        self._lags.see(told, at, dated)
        if isinstance(told, dict):
            add_log_line(self._rows, lines, {"logged_ms": dated} | _known(told), section.number)
        else:
            self._rows.add_row(("observations", told), at)

    def _see_others(self, text: str, at: tuple[int, int, int]) -> None:
        for other in self._others.see(text):
            self._rows.add_row(("observations", other), at)

    def _take_objects(self, lines: Lines, section: Section, text: str) -> bool:
        """Take what a program printed of its AdminClient's answers. Its log's time, of an unknown zone, dates none."""
        found = list(answers_in(text))
        for answer in found:
            self._add_answer((section.number, lines.number, lines.offset), answer)
        return bool(found)

    def _add_answer(self, at: tuple[int, int, int], answer: Answer) -> None:
        answer = self._dates.dated(answer)
        if found := self._dates.unclear(answer):
            self._rows.add_row(("observations", ("undated", *[None] * 5, found[0])), found[1])
        self._rows.add("answers", at, **{name: answer.get(name) for name in _OF_ANSWERS})

    def _take_of_table(self, text: str, bare: str) -> Taken:
        """Take the line as it stands, or without what stands before it: first in the form of the table's header."""
        if self._named and bare.startswith(self._named):
            return self._tables.take(bare.removeprefix(self._named))
        if self._barred and is_rule(bare):
            return True
        typed = as_typed(text)
        cells = None if is_command(bare) else without_bars(typed) or without_commas(typed, below=self._barred)
        if cells is not None and (self._barred or begins_table(cells)) and (taken := self._tables.take(cells)):
            self._barred = True
            return taken
        text = unfenced(text)
        forms = (bare,) if self._wrapped else (text, bare)
        for form in dict.fromkeys(forms):
            taken = self._tables.take(form)
            if taken:
                self._wrapped, self._barred = form != text, False
                return taken
        names = NAMED.match(bare)
        if names and begins_table(bare[names.end() :]):
            self._named = names[0]
            return self._tables.take(bare[names.end() :])
        return False

    def _take_log_line(self, lines: Lines, section: Section, text: str, *, begins: bool = False) -> bool:
        at = moment_in(text)
        self._logged_ms = self._logged_ms if at is None else at if isinstance(at, int) else None
        found = self._threads.told(said(text))
        place: Placed = lines
        if found:
            self._continued.end()
        elif begins:
            self._continued.begin(text, lines)
        else:
            found = self._continued.said(text)
            place = self._continued.place
        for line in found:
            add_log_line(self._rows, place, {"logged_ms": self._logged_ms} | _known(line), section.number)
        return bool(found)


def _framed(text: str, row: str | None) -> bool:
    """Return whether a line of a log stands after what a tool put before it, or begins as only a client's does."""
    whole = unwrapped(text)
    return row is not None or whole != text or OF_CLIENT.match(whole) is not None


def _known(line: LogLine) -> LogLine:
    return {name: value for name, value in line.items() if value is not None}
