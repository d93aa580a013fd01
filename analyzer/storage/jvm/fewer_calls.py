"""Leaves out calls into the JVM that PySpark makes again and again.

Each function of `pyspark.sql.functions` looks up its Java class and its method before the call: two more round trips,
of which the first searches every jar of the class path (0.4 ms of a call's 0.5, measured with PySpark 4.1). A column
of a name is made once: Java's columns never change.
"""

import functools
from typing import Any

from pyspark.sql import SparkSession

NAMES = ("org.apache.spark.sql.functions", "functions", "PythonUtils")
"""The names by which PySpark looks up classes of static methods."""


class _Members:
    """A Java class of py4j whose static methods are looked up once each; `col` makes each column once."""

    def __init__(self, java_class: Any) -> None:  # noqa: ANN401 - py4j has no types
        self._java_class = java_class

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        member = getattr(self._java_class, name)
        if name == "col":
            member = functools.cache(functools.partial(member))  # partial: py4j's own __doc__ asks the JVM
        setattr(self, name, member)
        return member


def remember_names(spark: SparkSession) -> None:
    """Make the session's view of the JVM keep the classes and columns that PySpark asks for at every call."""
    jvm: Any = spark._jvm  # noqa: SLF001 - the view that PySpark itself uses
    for name in NAMES:
        setattr(jvm, name, _Members(getattr(jvm, name)))
