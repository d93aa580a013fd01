"""docs/sql.md and docs/sql.ipynb, written from the tables, the twelve questions and a case of sample_data: `make sql`."""

import contextlib
import io
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from notebook import written
from opening import DUCKDB, SPARK
from picture import picture
from questions import QUESTIONS

from analyzer.config import Config, SparkConfig
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
from analyzer.storage.session import build_session
from analyzer.storage.settings import Work

ROOT = Path(__file__).parent.parent.parent
PAGE, NOTEBOOK = ROOT / "docs" / "sql.md", ROOT / "docs" / "sql.ipynb"
CASE = "CASE"
"""What the page calls the folder of a case."""

HEAD = """# A case as tables

A case is four Delta tables: `catalog` (captures and their files), `facts` (what the files say, row by row), `results` (what the report
says) and `lookups` (what `who`, `txn`, `top` and `timeline` answer from). Each holds several tables side by side: the column `table` says
whose a row is. `txn-forensics sql` knows these by name, and computes others from the facts when a query names one:

```
txn-forensics run sample_data --case CASE
txn-forensics sql "SHOW TABLES" --case CASE
txn-forensics sql "DESCRIBE id_txns" --case CASE
```

`make sql` writes this page and [the notebook](sql.ipynb): every answer below is what the program said of `sample_data/`.

## The tables

An arrow leads from a table to one whose key it has, by these columns. Only keys are shown; `schemas/` has every column with its
meaning. Times end in `_ms` and are milliseconds since 1970. In `sql`, facts also have the capture, log and path of their file.

"""
OPEN = f"""
## Elsewhere

The folder is plain Delta: what reads Delta reads a case. DuckDB needs no extension for it, since delta-rs names the files that count. This
gives each table as a view:

```python
{DUCKDB}```

```python
opened("CASE").sql("SELECT name, topic, partition FROM findings").show()
```

The twelve statements above give the same rows there; what `sql` computes when a query names it is not among the views. In a session of
Spark or Sail that knows Delta:

```python
{SPARK}```

```python
table(spark, "CASE", "results", "findings").select("name", "topic", "partition").show()
```

[The notebook](sql.ipynb) opens a case with DuckDB and asks some of the questions: put a folder of yours in the place of `CASE`. Analyzing
again replaces rows of a case, so write what you make elsewhere.
"""  # noqa: S608


def page(ask: Callable[[str], str]) -> str:
    """The page; `ask` answers a statement as `txn-forensics sql` prints it."""
    lines = ["", "## Twelve questions", ""]
    for number, one in enumerate(QUESTIONS, 1):
        answer = ask(one.sql).rstrip()
        lines += [f"### {number}. {one.title}", "", "```sql", one.sql, "```", "", "```", answer, "```", ""]
        lines += [one.remark, ""] if one.remark else []
    return HEAD + picture() + "\n".join(lines).rstrip() + "\n" + OPEN


@contextlib.contextmanager
def case_of_sample_data(spark, folder: Path) -> Iterator[Path]:
    """The case CASE of sample_data in this folder, in which its commands then run."""
    capture = scan_capture(CaptureRequest((str(ROOT / "sample_data"),)))
    case = Case(spark, str(folder / CASE))
    ingest(case, [capture])
    analyze(case, [capture.name], Config())
    with contextlib.chdir(folder):
        yield folder / CASE


def asked(statement: str) -> str:
    """What `txn-forensics sql` prints of this statement over CASE."""
    from analyzer.cli.commands import app

    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        app(["sql", statement, "--case", CASE])
    return out.getvalue()


def main() -> None:
    """Write both."""
    spark, _ = build_session(Config(spark=SparkConfig(engine="sail")), Work.SMALL)
    try:
        with tempfile.TemporaryDirectory() as folder, case_of_sample_data(spark, Path(folder)):
            PAGE.write_text(page(asked), encoding="utf-8")
            NOTEBOOK.write_text(written(), encoding="utf-8")
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
