"""Settings of brokers and topics that bear on transactions, and reading them from a server.properties."""

import re

VERIFICATION = "transaction.partition.verification.enable"
UNCLEAN_ELECTION = "unclean.leader.election.enable"
MIN_ISR = "min.insync.replicas"
PRODUCER_ID_EXPIRATION = "producer.id.expiration.ms"
ID_EXPIRATION = "transactional.id.expiration.ms"
LONGEST_TIMEOUT = "transaction.max.timeout.ms"

ID_EXPIRES_MS = 604_800_000
"""Default of `transactional.id.expiration.ms`: an id that is idle for so long is forgotten rightly."""
PRODUCER_ID_EXPIRES_MS = 86_400_000
"""Default of `producer.id.expiration.ms` from 3.4 on (KIP-854): a broker forgets a producer id that has not written for
so long. Before, producer ids lived as long as transactional ids."""

SWITCHES = (VERIFICATION, UNCLEAN_ELECTION, MIN_ISR)
"""Settings that make causes possible or impossible."""
TIMEOUTS = (LONGEST_TIMEOUT, ID_EXPIRATION, PRODUCER_ID_EXPIRATION)
"""Settings that bound ages, in milliseconds."""
WATCHED = (*SWITCHES, *TIMEOUTS)

AUTHORIZER = "authorizer.class.name"
"""Setting of brokers: without one, everybody may see and do everything."""

REMOTE_STORAGE = "remote.storage.enable"
CLEANUP_POLICY = "cleanup.policy"
OF_TOPICS = (REMOTE_STORAGE, CLEANUP_POLICY)
"""Settings of topics that tell what a hang holds up, and which causes it can have."""
SHARE_ISOLATION = "share.isolation.level"
"""Setting of a share group: read_committed stops it at the LSO (4.1 and newer)."""

TRANSACTION_VERSION = "transaction.version"
METADATA_VERSION = "metadata.version"
ELR_VERSION = "eligible.leader.replicas.version"
FEATURES = (TRANSACTION_VERSION, METADATA_VERSION, ELR_VERSION)

_LINE = re.compile(r"[ \t\f]*([A-Za-z0-9._-]+)[ \t]*[=: \t][ \t]*(\d{1,18}|true|false)[ \t\r]*")


def settings_of(properties: str) -> dict[str, str]:
    """Return the watched settings of a server.properties; of one that is repeated the last, as Java reads it.

    Values that are no number and neither true nor false are left out, so nothing secret is ever kept.
    """
    lines = (_LINE.fullmatch(line) for line in properties.splitlines())
    return {match[1]: match[2] for match in lines if match and match[1] in WATCHED}
