r"""Lines of a dump, of tables and of other tools that mail broke at a width, put together again.

baseOffset: 8 lastOffset: 8 count: 1 baseSequence: -1 lastSequence: -1
producerId: 0 producerEpoch: 0 partitionLeaderEpoch: 0 isTransactional: true
isControl: true deleteHorizonMs: OptionalLong.empty position: 152 CreateTime:
1665506597998 size: 78 magic: 2 compresscodec: none crc: 3355926470 isvalid: true

| offset: 7 CreateTime: 1650000000000 keySize: 9 valueSize: 60 sequence: -1
headerKeys: [] key: transaction_metadata::transactionalId=pay-1 payload:
producerId:5000,producerEpoch:0,state=Ongoing,partitions=[orders-0],txnLast...
"""

import re
from collections.abc import Callable, Iterator, Sequence

from analyzer.kafka.pasting.broken_tables import BrokenTables
from analyzer.kafka.pasting.broken_values import whole_value
from analyzer.kafka.pasting.upright_tables import laid_down

_KEY = (
    r"(?:lastOffset|count|baseSequence|lastSequence|producerId|producerEpoch|partitionLeaderEpoch|isTransactional"
    r"|isControl|deleteHorizonMs|position|CreateTime|LogAppendTime|NoTimestampType|size|magic|compresscodec|crc|isvalid"
    r"|key[sS]ize|value[sS]ize|sequence|headerKeys|endTxnMarker|coordinatorEpoch)"
)
_REST = re.compile(rf"(?P<value>[^\s:]{{1,30}}(?: |$))?(?:{_KEY}: \S+ ?)*(?:{_KEY}:)?")
_BATCH = re.compile(r"baseOffset: -?\d+(?: |$)")
_RECORD = re.compile(r"\| offset: -?\d+(?: |$)")
_ENDS_IN_KEY = re.compile(rf"(?:^| ){_KEY}:$")
_FIRST, _LONGEST, _LONGEST_LINE = 2, 20, 2_000
"""Lines that are looked at first, that one line may have become, and characters of a line that may be broken."""
_STATE = (
    r"producerId:-?\d+,producerEpoch:-?\d+,state=\w+,partitions=\[[^\]]*\],"
    r"txnLastUpdateTimestamp=-?\d+,txnTimeoutMs=\d+"
)
_DECODED = re.compile(
    r"\| offset: \d+ .* headerKeys: \[\] key: "
    rf"(?:transaction_metadata::transactionalId=\S+ payload: (?:{_STATE}|<DELETE>)"
    r"|\{\"type\":\"\d+\",\"data\":\{.*\}\} payload: (?:\{\"(?:type|version)\":\"\d+\",\"data\":\{.*\}\}|<DELETE>))"
)
"""A record of __transaction_state as its decoder prints it: what brokers alone write has no line end."""
_OF_DECODER = re.compile(
    r"(?:\bkey: (?:transaction_metadata::transactionalId=|\{\"type\":\"\d+\",\"data\":)"
    r"|\bpayload: (?:producerId:-?\d+,producerEpoch:|\{\"(?:type|version)\":\"\d+\",\"data\":|<DELETE>))"
)
_CONTENTS = re.compile(r"\b(?:payload|key): |headerKeys: \[[^\]]")
_MAY_BREAK = re.compile(
    r"baseOffset: -?\d|\| offset: -?\d|Dumping$|::(?:TransactionMetadata|OffsetAndMetadata|GroupMetadata)\(|\{\"key\":"
    r"|Topic:|\bkafka-[a-z-]{1,40}(?:\.sh|\.bat)?(?:\s|$)"
    r"|(?:GROUP|TOPIC|Topic|PARTITION|LEADER|BROKER|COORDINATOR|CoordinatorId|TransactionalId|ProducerId)"
    r"(?:\s+[A-Z]|\s*$|\**[ \t]*[:=|\t ][ \t]*[^|]{1,300}\|?[ \t]*$)"
    r"|-\[ RECORD \d"
)
"""What is in every line that may go on in the next one, but for rows of a table."""


def prints_contents(text: str) -> bool:
    """Return whether a line of a dump prints what may hold line ends: keys, values or header keys of any program."""
    return _CONTENTS.search(_OF_DECODER.sub("", text)) is not None


def rejoined(lines: Sequence[str], bare: Callable[[str], str] = str) -> list[str]:
    """Return the lines, each broken one whole where it begins, followed by as many empty ones as it had more.

    An upright table becomes its header and its row, followed by empty lines.

    `bare` takes off what stands before a line: a line that is put together has nothing before it.
    """
    out: list[str] = []
    for wholes, taken in _wholes(lines, bare):
        out += [*wholes, *[""] * (taken - len(wholes))]
    return out


def _wholes(lines: Sequence[str], bare: Callable[[str], str]) -> Iterator[tuple[Sequence[str], int]]:
    at, tables = 0, BrokenTables()
    while at < len(lines):
        wholes: Sequence[str] = (lines[at],)
        taken = 1
        if lines[at].strip() and (tables.inside or _MAY_BREAK.search(lines[at], 0, _LONGEST_LINE)):
            pieces, places = _pieces(lines, at, bare, _FIRST)
            if not _is_whole(pieces):
                pieces, places = _pieces(lines, at, bare, _LONGEST)
                found = _dumped(pieces) or whole_value(pieces) or tables.take(pieces)
                put = ((found[0],), found[1]) if found else laid_down([lines[place] for place in places])
                if put:
                    wholes, count = put
                    taken = places[count - 1] - at + 1
        yield wholes, taken
        at += taken


def _is_whole(pieces: Sequence[str]) -> bool:
    """Return whether a line of a dump lacks nothing that the next one has."""
    line, rest = pieces[0].rstrip(), pieces[1].strip() if len(pieces) > 1 else ""
    if not (_BATCH.match(line) or (_RECORD.match(line) and " headerKeys: [" in line)) or _goes_on(line, rest):
        return False
    return not (rest.startswith(("key:", "payload:")) or line.endswith(("key:", "payload:", ",")))


def _pieces(lines: Sequence[str], at: int, bare: Callable[[str], str], most: int) -> tuple[list[str], list[int]]:
    """Return the next lines that are not empty, and which they are; two empty ones in a row end them."""
    pieces: list[str] = []
    places: list[int] = []
    for place in range(at, min(len(lines), at + 2 * most)):
        text = bare(lines[place][:_LONGEST_LINE]).rstrip("\r")
        if text.strip():
            pieces.append(text)
            places.append(place)
        elif not places or place - places[-1] > 1:
            break
    return pieces or [""], places or [at]


def _dumped(pieces: Sequence[str]) -> tuple[str, int] | None:
    """Return a line of a dump, whole."""
    whole, taken = pieces[0], 1
    while taken < min(_LONGEST, len(pieces)) and _goes_on(whole.rstrip(), pieces[taken].strip()):
        whole = f"{whole.rstrip()} {pieces[taken].strip()}"
        taken += 1
    if _RECORD.match(whole) and (decoded := _decoded(pieces)):
        return decoded
    return (whole, taken) if taken > 1 else None


def _decoded(pieces: Sequence[str]) -> tuple[str, int] | None:
    """Return a record of __transaction_state, whole; none where a number may go on in the next line."""
    whole = pieces[0].rstrip()
    for taken in range(1, min(_LONGEST, len(pieces))):
        if _DECODED.fullmatch(whole):
            return (whole, taken) if taken > 1 and not pieces[taken].strip().isdigit() else None
        if _RECORD.match(pieces[taken]) or _BATCH.match(pieces[taken]):
            return None
        whole = f"{whole} {pieces[taken].strip()}"
    return (whole, len(pieces[:_LONGEST])) if len(pieces) > 1 and _DECODED.fullmatch(whole) else None


def _goes_on(line: str, rest: str) -> bool:
    """Return whether a line lacks what the next one begins with."""
    if line == "Dumping":
        return re.fullmatch(r"\S+", rest) is not None
    match = _REST.fullmatch(rest) if rest else None
    open_key = _ENDS_IN_KEY.search(line) is not None
    if match is None or (match["value"] is not None) != open_key:
        return False
    if _BATCH.match(line):
        return open_key or " isvalid: " not in line or " crc: " not in line
    if not _RECORD.match(line):
        return False
    return open_key or " headerKeys: [" not in line or rest.startswith(("endTxnMarker:", "coordinatorEpoch:"))
