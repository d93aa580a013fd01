"""What a rescue has saved, and what speaks against it being all, as text for a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analyzer.report.sentences.cells import visible

LISTED = 20
"""How many places that could not be read are listed; all of them are in rescue.json."""

OF_TEXT = (
    "text keeps no header values and shows bytes that are not UTF-8 as U+FFFD; a raw segment keeps everything",
    "the checksums of the segment cannot be computed from text",
)
INTERNAL = (
    "no client may write to this topic, so these records cannot be produced again; positions of a group are set with "
    "kafka-consumer-groups.sh --reset-offsets"
)


def rescue_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the lines about each open transaction: how many records, from where, and what is missing or in doubt."""
    return "".join(line + "\n" for row in rows for line in _lines(row))


def _lines(row: Mapping[str, Any]) -> Iterator[str]:
    offsets = f"offsets {row['first_offset']} to {row['last_offset']}"
    place = f"{visible(row['topic'])}-{row['partition']}, producer {row['producer_id']}, {offsets}"
    yield f"{place}: {_records(row['records'])} saved from {row['source']}"
    yield from (f"  {visible(path)}" for path in row["files"])
    if row["complete"]:
        counted = "" if row["counted_at_analysis"] is None else ", as many as the analysis counted"
        yield f"  complete: every checksum holds, and no offset is missing{counted}"
    yield from (f"  NOTE: {text}" for text in _against(row))


def _against(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield everything that whoever aborts, or produces the records again, must know first."""
    if row["problem"]:
        yield row["problem"].replace("\n", "\n        ")
        return
    if row["counted_at_analysis"] not in {None, row["records"]}:
        yield f"the analysis counted {_records(row['counted_at_analysis'])}, {row['records']} were saved"
    for one in row["unread"][:LISTED]:
        yield f"not saved: {_unread(one)}"
    if len(row["unread"]) > LISTED:
        yield f"not saved: {len(row['unread']) - LISTED} more places, see rescue.json"
    for first, last in row["offsets_in_no_file"]:
        yield f"offsets {first} to {last} are in none of these files"
    if row["other_replicas"] and (row["unread"] or row["offsets_in_no_file"]):
        names = " or ".join(visible(name) for name in row["other_replicas"])
        yield f"other copies here may hold them: --replica {names}"
    yield from _about_the_range(row)
    if row["doubtful"]:
        yield f"{_records(row['doubtful'])} may differ from what was produced; the field doubt says why"
    if row["source"] == "text":
        yield from OF_TEXT
    if row["internal"]:
        yield INTERNAL


def _about_the_range(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield why the range of offsets is not what an abort would discard."""
    for offset in () if row.get("lost") else row["markers_inside"]:
        yield f"a marker of this producer is at offset {offset}: an abort discards nothing before it"
    if row["outside_the_offsets"]:
        kept, discarded = ", where the leader has them, and not saved", " and not saved; an abort discards them as well"
        why = kept if row.get("lost") else discarded
        yield f"{_records(row['outside_the_offsets'])} of the same transaction are outside these offsets{why}"
    if row.get("open_end") and row["records"]:
        yield (
            "no file tells where it ends: this is what these segments have of it. Compare the time of its last record "
            "with LastTimestamp of describe-producers"
        )
    if row["without_a_transaction"]:
        yield f"{_records(row['without_a_transaction'])} of this producer are in no transaction and were not saved"


def _unread(one: Mapping[str, Any]) -> str:
    count = "" if one["records"] is None else f" ({_records(one['records'])})"
    first, last = one["first_offset"], one["last_offset"]
    offsets = f"from offset {first} on" if last is None else f"offsets {0 if first is None else first} to {last}"
    where = "unknown offsets" if first is None and last is None else offsets
    at = "" if one["position"] is None else f" at byte {one['position']}"
    return f"{where}{count}: {one['why']}; {visible(one['path'])}{at}"


def _records(count: int) -> str:
    return f"{count:,} record" + ("" if count == 1 else "s")
