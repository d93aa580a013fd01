"""Whether a capture's brokers are of a release or newer, as a column."""

from pyspark.sql import Column, functions as F

from analyzer.kafka.versions import Version


def are_since(first: Version) -> Column:
    """Return whether `kafka_version` is of this release or newer, null if it tells no version."""
    parts = [F.try_element_at(F.split("kafka_version", r"\."), F.lit(index)).cast("string") for index in (1, 2)]
    major, minor = (F.regexp_extract(part, r"^\d{1,9}", 0).try_cast("int") for part in parts)
    return (major > first[0]) | ((major == first[0]) & (minor >= first[1]))
