r"""When a line of a log was written, in whatever layout and after whatever prefix.

[2024-05-25 13:14:14,560] INFO [TransactionCoordinator id=1] Initialized ...        (Apache)
2024-05-25 13:14:14,560 INFO  [TransactionCoordinator id=1] Initialized ...         (Strimzi, clients)
kafka-1  | [2024-05-25 13:14:14,560] INFO ...                                       (docker compose)
[pod/kafka-0/kafka] 2024-05-25T13:14:14.560123456Z [2024-05-25 ...] INFO ...        (kubectl --prefix --timestamps)
{"@timestamp":"2024-05-25T13:14:14.560Z","message":"Initialized ..."}               (JSON lines)
INFO  2024-05-25 13:14:14,560 [shard 0:main] tx - ...                                (Redpanda)
[sarama] 2024/05/25 13:14:14 txnmgr/transition ...                                   (Go)
%4|1716642854.560|GETPID|rdkafka#producer-1| [thrd:main]: ...                        (librdkafka)
1716642854560,"Initialized ..."                                                       (CloudWatch's CSV)
"""

import datetime
import re

from analyzer.kafka.clocks import QUARTER_MS, SKEW_MS
from analyzer.kafka.log_lines.heads import LIBRDKAFKA_HEAD
from analyzer.kafka.pasting.characters import as_typed

_MOMENT = re.compile(
    r"(?<!\d)(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?\s?(Z|[+-]\d\d:?\d\d)?(?!\d)"
)
_EPOCH = re.compile(rf"{LIBRDKAFKA_HEAD}|^\W{{0,3}}(\d{{10}})(\d{{3}})\W")
_HEAD = 400
"""How far into a line its time is looked for, characters."""


def logged_ms(text: str) -> int | None:
    """Return when a line was written, epoch ms: its own time, the last before its level; UTC where no zone is told.

    A time without a zone that is whole quarters of an hour from one with a zone, which a container's runtime put before
    it, is of the zone that they are apart.
    """
    head = as_typed(text[:_HEAD])
    if epoch := _EPOCH.search(head):
        return int(epoch[1] or epoch[3]) * 1000 + int(epoch[2] or epoch[4])
    moments = list(_MOMENT.finditer(head))
    if not moments:
        return None
    chosen = moments[-1 if len(moments) < 3 else 0]  # noqa: PLR2004
    own = _ms(chosen)
    if own is None or chosen[8]:
        return own
    apart = [told - own for one in moments if one[8] and (told := _ms(one)) is not None]
    zones = [round(ms / QUARTER_MS) * QUARTER_MS for ms in apart]
    return own + next((zone for zone, ms in zip(zones, apart, strict=True) if abs(ms - zone) <= SKEW_MS), 0)


def _ms(found: re.Match[str]) -> int | None:
    """Return the moment that was found, epoch ms; None if there is no such day or hour."""
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    try:
        moment = datetime.datetime(
            int(year), int(month), int(day), int(hour), int(minute), int(second), tzinfo=_zone(zone)
        )
    except ValueError:
        return None
    return int(moment.timestamp()) * 1000 + int(((fraction or "0") + "00")[:3])


def _zone(zone: str | None) -> datetime.timezone:
    if zone in (None, "Z"):
        return datetime.UTC
    sign = -1 if zone[0] == "-" else 1
    return datetime.timezone(sign * datetime.timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:])))
