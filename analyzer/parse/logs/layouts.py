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
"Nov 21, 2026 @ 09:13:21.091","Initialized ..."                                       (Kibana, and its CSV)
11/21/2026 9:13:21 AM,"Initialized ..."                              (spreadsheets; 03/04 may be of March or of April)
2026-11-21 09:13:21,091 CET INFO ...               (such a name stands for several zones, or for one without its summer)
"""

import datetime
import re

from analyzer.kafka.clocks import QUARTER_MS, SKEW_MS
from analyzer.kafka.log_lines.heads import LIBRDKAFKA_HEAD
from analyzer.kafka.pasting.characters import as_typed
from analyzer.kafka.pasting.dates import MONTHS, NAMED_ZONES, UTC, hour_of

_MOMENT = re.compile(
    r"(?<!\d)(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?\s?(Z|[+-]\d\d:?\d\d)?(?!\d)"
    rf"(?:\s?({NAMED_ZONES})\b)?"
)
_IN_WORDS = re.compile(
    rf"(?<!\w)(?P<month>{'|'.join(MONTHS)}) (?P<day>\d\d?), (?P<year>\d{{4}}) @ "
    r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:\.(?P<fraction>\d{1,9}))?"
)
_SLASHED = re.compile(
    r"\W{0,3}(?P<first>\d\d?)/(?P<then>\d\d?)/(?P<year>\d{4}),? (?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)"
    r"(?:[.,](?P<fraction>\d{1,9}))?(?:\s?(?P<half>[AaPp])\.?[Mm]\b)?"
)
_MONTHS_OF_A_YEAR = 12
_EPOCH = re.compile(rf"{LIBRDKAFKA_HEAD}|^\W{{0,3}}(\d{{10}})(\d{{3}})\W")
_HEAD = 400
"""How far into a line its time is looked for, characters."""


def logged_ms(text: str) -> int | None:
    """Return when a line was written, epoch ms; None where it does not tell that for sure, see `moment_in`."""
    found = moment_in(text)
    return found if isinstance(found, int) else None


def moment_in(text: str) -> int | str | None:
    """Return when a line was written, epoch ms: its own time, the last before its level; UTC where no zone is told.

    A time without a zone that is whole quarters of an hour from one with a zone, which a container's runtime put before
    it, is of the zone that they are apart. None for a line without a time, "" for a time that may be several moments:
    its zone has a name of several, or its day and month may be the other way round.
    """
    head = as_typed(text[:_HEAD])
    if epoch := _EPOCH.search(head):
        return int(epoch[1] or epoch[3]) * 1000 + int(epoch[2] or epoch[4])
    moments = list(_MOMENT.finditer(head))
    if not moments:
        return _told_otherwise(head)
    chosen = moments[-1 if len(moments) < 3 else 0]  # noqa: PLR2004
    own = _ms(chosen)
    if own is None or chosen[8]:
        return own
    apart = [told - own for one in moments if one[8] and (told := _ms(one)) is not None]
    zones = [round(ms / QUARTER_MS) * QUARTER_MS for ms in apart]
    zone = next((zone for zone, ms in zip(zones, apart, strict=True) if abs(ms - zone) <= SKEW_MS), None)
    if zone is None and chosen[9]:
        return own if chosen[9] in UTC else ""
    return own + (zone or 0)


def _told_otherwise(head: str) -> int | str | None:
    """Return a moment in one of the forms of pages and spreadsheets, as `moment_in`."""
    if found := _IN_WORDS.search(head):
        return _at(found, MONTHS.index(found["month"]) + 1, int(found["day"]))
    if not (found := _SLASHED.match(head)):
        return None
    first, then = int(found["first"]), int(found["then"])
    if first != then and max(first, then) <= _MONTHS_OF_A_YEAR:
        return ""
    return _at(found, then, first) if first > _MONTHS_OF_A_YEAR else _at(found, first, then)


def _at(found: re.Match[str], month: int, day: int) -> int | None:
    told = found.groupdict()
    hour = hour_of(told["hour"], told.get("half"))
    try:
        moment = datetime.datetime(
            int(told["year"]), month, day, hour, int(told["minute"]), int(told["second"]), tzinfo=datetime.UTC
        )
    except ValueError:
        return None
    return int(moment.timestamp()) * 1000 + int(((told["fraction"] or "0") + "00")[:3])


def _ms(found: re.Match[str]) -> int | None:
    """Return the moment that was found, epoch ms; None if there is no such day or hour."""
    year, month, day, hour, minute, second, fraction, zone, _ = found.groups()
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
