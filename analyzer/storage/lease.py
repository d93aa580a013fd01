"""Leases a case that is no folder of this machine: a row of a Delta table says who writes, committed like data."""

import re
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from pyspark.sql import Row, SparkSession

from analyzer.errors import EnvironmentFault

ENDS_AFTER_S = 600
"""A lease that is not renewed for so long is over: its holder died. Clocks of machines must not differ by more."""

RENEWED_EVERY_S = 60

TRIES = 3

CREATE = """CREATE TABLE IF NOT EXISTS {name} (holder STRING, host STRING, until_ms BIGINT) USING delta
    TBLPROPERTIES ('delta.isolationLevel' = 'Serializable')"""

TAKE = """MERGE INTO {name} AS lease
    USING (SELECT '{holder}' AS holder, '{host}' AS host, {until} AS until_ms) AS mine ON true
    WHEN MATCHED AND lease.until_ms < {now} THEN UPDATE SET *
    WHEN NOT MATCHED THEN INSERT *"""

RENEW = "UPDATE {name} SET until_ms = {until} WHERE holder = '{holder}'"


@contextmanager
def leased(spark: SparkSession, table: str, case: str) -> Iterator[Callable[[], None]]:
    """Hold the case for one writer, by a row of this Delta table (its name in SQL); yield a check that it still is.

    Of two writers that ask at once Delta lets one commit. Raises EnvironmentFault if another writer holds the case, as
    does the check once this one has lost it: its machine slept, or could not reach the table for too long.
    """
    lease = _Lease(spark, table, case)
    lease.take()
    ended = threading.Event()
    renewing = threading.Thread(target=lease.renew_until, args=(ended,), daemon=True)
    renewing.start()
    try:
        yield lease.check
    finally:
        ended.set()
        renewing.join()
        with suppress(Exception):  # it ends by itself
            lease.hold_until(0)


class _Lease:
    def __init__(self, spark: SparkSession, table: str, case: str) -> None:
        self._spark = spark
        self._table = table
        self._case = case
        self._holder = str(uuid.uuid4())
        self._until_ms = 0

    def take(self) -> None:
        for tries_left in reversed(range(TRIES)):
            self._until_ms = _now_ms() + ENDS_AFTER_S * 1000
            try:
                self._sql(CREATE)
                self._sql(TAKE, now=_now_ms(), until=self._until_ms, holder=self._holder, host=_host())
                break
            except Exception:  # of writers that ask at once one commits; what the others see depends on the moment
                if not tries_left and self._is_free():
                    raise
                time.sleep(1)
        self.check_holder()

    def renew_until(self, ended: threading.Event) -> None:
        """Renew the lease now and then; what fails is tried again, until the lease is over."""
        while not ended.wait(RENEWED_EVERY_S):
            with suppress(Exception):
                until = _now_ms() + ENDS_AFTER_S * 1000
                self.hold_until(until)
                self._until_ms = until

    def hold_until(self, until_ms: int) -> None:
        self._sql(RENEW, until=until_ms, holder=self._holder)

    def check(self) -> None:
        if _now_ms() > self._until_ms:
            self.check_holder()

    def check_holder(self) -> None:
        row = self._row()
        if row is None or row.holder != self._holder:
            by = f" from {row.host}" if row else ""
            raise EnvironmentFault(
                f"another run{by} is writing to the case {self._case}.",
                do="wait until it has ended, or name another --case. If it was killed, it holds the case for "
                f"{ENDS_AFTER_S // 60} minutes more at most.",
            )

    def _is_free(self) -> bool:
        row = self._row()
        return row is None or row.until_ms < _now_ms()

    def _row(self) -> Row | None:
        rows = self._sql("SELECT holder, host, until_ms FROM {name}")
        return rows[0] if rows else None

    def _sql(self, statement: str, **literals: object) -> list[Row]:
        """Run a statement; its values are literals, because Delta binds no parameters in a MERGE or UPDATE."""
        return self._spark.sql(statement.format(name=self._table, **literals)).collect()


def _host() -> str:
    """Return this machine's name as a literal can hold it."""
    return re.sub(r"[^\w.-]", "?", socket.gethostname())


def _now_ms() -> int:
    return int(time.time() * 1000)
