"""What is wrong with a query, told from what an engine says of it: the column, the table, the place in the text."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark import errors

from analyzer.config import Config
from analyzer.errors import UsageError
from analyzer.pipeline.sql.contents import nearest, no_table, queryable
from analyzer.storage.faults import explain_fault

OF_A_QUERY = (
    errors.AnalysisException, errors.ArithmeticException, errors.ArrayIndexOutOfBoundsException,
    errors.DateTimeException, errors.IllegalArgumentException, errors.NumberFormatException,
    errors.UnsupportedOperationException,
)  # fmt: skip
"""What engines raise for a query that they cannot carry out; the parser's exceptions are of these classes."""

_COLUMN = re.compile(r"with name (`.*?`) cannot be resolved|attribute ObjectName\(\[(.*?)\]\) is missing")
_TABLE = re.compile(r"[Tt]able or view (?:not found: |`)((?:`\.`|[\w.])+)|Table not found: (\w+)")
_AMBIGUOUS = re.compile(r"Reference `(.*?)` is ambiguous|ambiguous attribute: ObjectName\(\[(.*?)\]\)")
_FUNCTION = re.compile(r"Cannot resolve routine `(\w+)`|unknown function: (\w+)")
_NOT_GROUPED = re.compile(r"MISSING_AGGREGATION|No field named \S*\"#\d+\"")
_SPARK_PLACE = re.compile(r"Syntax error at or near (.*?)[.:] .*?\(line (\d+), pos (\d+)\)", re.DOTALL)
_SAIL_PLACE = re.compile(r"invalid argument: found (.*?) at (\d+):\d+ expected", re.DOTALL)
_SAIL_END = "invalid argument: found end of input"
_NOT_ONE = ("expected one statement", "PARSE_EMPTY_STATEMENT")
_NAMED = re.compile(r'Identifier\("(.*?)"\)|`(.*?)`')


@contextmanager
def explained(statement: str, config: Config) -> Iterator[None]:
    """Turn what an engine raises for a query into UsageError; a fault of the machine stays one."""
    logger = logging.getLogger("SQLQueryContextLogger")  # PySpark's: it writes each such error as JSON to stderr
    before, logger.disabled = logger.disabled, True
    try:
        yield
    except OF_A_QUERY as fault:
        raise explain_fault(fault, config) or query_fault(str(fault), statement) from fault
    finally:
        logger.disabled = before


def query_fault(said: str, statement: str) -> UsageError:
    """Return what is wrong with this query, of which Spark or Sail said this."""
    if found := _COLUMN.search(said):
        return _no_column(_name(found), statement)
    if found := _TABLE.search(said):
        return no_table((found[1] or found[2]).replace("`", ""))
    if found := _AMBIGUOUS.search(said):
        name = _name(found)
        return UsageError(f"column {name} is in several tables of the query.", wanted=f"TABLE.{name}")
    if found := _FUNCTION.search(said):
        return UsageError(f"no function {found[1] or found[2]}.", wanted="a function of Spark SQL")
    if _NOT_GROUPED.search(said):
        return UsageError(
            "a column that is selected is neither in GROUP BY nor aggregated.", wanted="GROUP BY COLUMN, ..."
        )
    return _syntax(said, statement) or UsageError(f"the query cannot be run: {_first(said)}")


def _no_column(name: str, statement: str) -> UsageError:
    """Return the error for a column that none of the query's tables has."""
    words = {word.lower() for word in re.findall(r"\w+", statement)}
    tables = sorted(words & queryable().keys())
    columns = [column.name for table in tables for column in queryable()[table]]
    names = nearest(name.rpartition(".")[2], columns) if tables else []
    where = f" in {', '.join(tables)}" if tables else ""
    return UsageError(
        f"no column {name}{where}.",
        wanted=f"one such as {', '.join(names)}" if names else "",
        do=f'txn-forensics sql "DESCRIBE {tables[0]}" --case CASE lists the columns' if tables else "",
    )


def _syntax(said: str, statement: str) -> UsageError | None:
    """Return the error for a text that is no SQL, with the place in it; None if it is another one."""
    if found := _SPARK_PLACE.search(said):
        line, character = int(found[2]), int(found[3])
        at = sum(len(one) + 1 for one in statement.split("\n")[: line - 1]) + character
        return _at(statement, at)
    if found := _SAIL_PLACE.search(said):
        return _at(statement, int(found[2]))
    if _SAIL_END in said:
        return _at(statement, len(statement))
    if any(one in said for one in _NOT_ONE):
        return UsageError("this is not one statement.", wanted="one query, without a second one after a semicolon")
    return None


def _at(statement: str, at: int) -> UsageError:
    """Return the error for this place in the text, counted from 0."""
    line, character = statement.count("\n", 0, at) + 1, at - statement.rfind("\n", 0, at)
    place = f"character {character}" if "\n" not in statement.strip() else f"line {line}, character {character}"
    near = " ".join(statement[at : at + 20].split())
    read = " ".join(statement[max(0, at - 30) : at].split())
    if not near:
        return UsageError(f"syntax error: the query ends too early, after {read!r}.", wanted="a statement of Spark SQL")
    before = f", after {read!r}" if read else ""
    return UsageError(f"syntax error at {place}: {near!r}{before}.", wanted="a statement of Spark SQL")


def _name(found: re.Match[str]) -> str:
    """Return a name of one or several parts, of Spark's or Sail's form."""
    text = found[1] or found[2]
    parts = [one or other for one, other in _NAMED.findall(text)]
    return ".".join(parts) or text


def _first(said: str) -> str:
    """Return the first line of what an engine says, without its codes."""
    line = next((one.strip() for one in said.splitlines() if one.strip()), "no reason was given")
    return re.sub(r"^\[[\w.]+\] ", "", re.sub(r" SQLSTATE: \w+;?", "", line))
