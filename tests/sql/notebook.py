"""The notebook of docs/sql.md: its cells, run one after the other in one process, and what they said."""

import ast
import contextlib
import io
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from opening import DUCKDB
from questions import QUESTIONS

HEAD = """\
# A case in a notebook

`txn-forensics run sample_data --case CASE` made the folder that these cells read. `make sql` runs them and writes this file; [the
page](sql.md) has more questions and a picture of the tables."""
SHOW = '''\
case = opened("CASE")


def ask(statement):
    """Print the answer to a statement."""
    case.sql(statement).show(max_width=160)
'''
ASKED = (0, 1, 2, 6, 8, 9)
"""Questions of the page that the notebook asks, too."""


def cells() -> list[Any]:
    """The cells as they are written, without what they say."""
    out = [new_markdown_cell(HEAD), new_code_cell(DUCKDB.rstrip()), new_code_cell(SHOW.rstrip())]
    for number in ASKED:
        one = QUESTIONS[number]
        out += [new_markdown_cell(f"## {one.title}"), new_code_cell(f'ask("""\n{one.sql}\n""")')]
    out += [
        new_markdown_cell(
            "## On with plain Python\n\nRows are tuples; here, the bytes of aborted records of each topic."
        ),
        new_code_cell(
            "rows = case.sql(\"SELECT topic, bytes FROM log_txns WHERE marker = 'ABORT' AND bytes IS NOT NULL\").fetchall()\n"
            "{topic: sum(size for name, size in rows if name == topic) for topic in sorted({name for name, _ in rows})}"
        ),
    ]
    return out


def written() -> str:
    """The notebook as a file, run in the folder in which CASE lies."""
    shared: dict[str, Any] = {"__name__": "__main__"}
    told = cells()
    for at, cell in enumerate(told):
        cell["id"] = f"cell-{at}"
    for number, cell in enumerate((cell for cell in told if cell["cell_type"] == "code"), 1):
        cell["execution_count"], cell["outputs"] = number, _run(cell["source"], shared, number)
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    notebook = new_notebook(cells=told, metadata=kernel)
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"


def _run(source: str, shared: dict[str, Any], number: int) -> list[Any]:
    """What a cell prints, and the value of its last expression."""
    body = ast.parse(source)
    last = body.body.pop() if isinstance(body.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(body, "cell", "exec"), shared)  # noqa: S102 - the notebook's own cells
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), shared) if last else None  # noqa: S307
    said = [new_output("stream", name="stdout", text=out.getvalue())] if out.getvalue() else []
    shown = {"text/plain": repr(value)}
    return said + ([] if value is None else [new_output("execute_result", shown, execution_count=number)])
