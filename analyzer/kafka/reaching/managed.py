"""Brokers that a provider runs, by their addresses: nobody else has a shell there, or their files."""

import re

_MANAGED = re.compile(
    r"\.(?:servicebus\.windows\.net|confluent\.cloud|aivencloud\.com"
    r"|kafka(?:-serverless)?\.[a-z0-9-]{1,40}\.amazonaws\.com(?:\.cn)?)(?::\d{1,5})?$",
    re.IGNORECASE,
)
"""Azure Event Hubs, Confluent Cloud, Aiven, Amazon MSK."""


def is_managed(bootstrap: str) -> bool:
    """Return whether one of these brokers, HOST:PORT,..., is a provider's."""
    return any(_MANAGED.search(one.strip()) for one in bootstrap.split(","))
