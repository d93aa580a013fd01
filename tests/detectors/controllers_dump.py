"""A dump of the controllers' log, by its records."""

import json

from cluster import START_MS

BATCH = (
    "baseOffset: {0} lastOffset: {0} count: 1 baseSequence: -1 lastSequence: -1 producerId: -1 producerEpoch: -1 "
    "partitionLeaderEpoch: 1 isTransactional: false isControl: false deleteHorizonMs: OptionalLong.empty "
    "position: {0} CreateTime: {1} size: 1 magic: 2 compresscodec: none crc: 1 isvalid: true\n"
    "| offset: {0} CreateTime: {1} keySize: -1 valueSize: 30 sequence: -1 headerKeys: [] payload: {2}\n"
)


def quorum(*records):
    """A dump of the controllers' log: each record's time, type and fields."""
    lines = [
        BATCH.format(
            offset, START_MS + at, json.dumps({"type": kind, "version": 0, "data": fields}, separators=(",", ":"))
        )
        for offset, (at, kind, fields) in enumerate(records)
    ]
    return "Dumping __cluster_metadata-0/00000000000000000000.log\nLog starting offset: 0\n" + "".join(lines)
