"""Opens a case without our program: the text that docs/sql.md and its notebook show is what runs here."""

DUCKDB = '''\
import duckdb
from deltalake import DeltaTable

from analyzer.tables import TABLES


def opened(case):
    """Return a DuckDB connection with a view of each table of a case, over its live Parquet files."""
    connection = duckdb.connect()
    for store in ("catalog", "facts", "results", "lookups"):
        files = DeltaTable(f"{case}/{store}").file_uris()
        read = f"read_parquet({files!r}, union_by_name=true, hive_partitioning=true)"
        known = set(connection.sql(f"SELECT * FROM {read}").columns)
        for table in TABLES.values():
            if table.store == store:
                columns = ", ".join(f'"{name}"' for name in table.names if name in known)
                where = f"""WHERE "table" = '{table.name}'"""
                connection.execute(f"CREATE VIEW {table.name} AS SELECT {columns} FROM {read} {where}")
    return connection
'''
"""A function `opened`: the folder of a case in, a DuckDB connection out."""

SPARK = '''\
def table(spark, case, store, name):
    """Return one table of a case as a DataFrame."""
    return spark.read.format("delta").load(f"{case}/{store}").where(f"`table` = '{name}'")
'''
"""A function `table` for a session of Spark or Sail that knows Delta."""
