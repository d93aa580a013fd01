"""The raw text of a record on its line: what stands before its parts, and what is read of it."""

import dataclasses
from typing import Any

KEY = b" key: "
PAYLOAD = b" payload: "
NO_HEADERS = b"headerKeys: []"
REPLACED = b"\xef\xbf\xbd"


@dataclasses.dataclass(slots=True)
class RecordText:
    """A record's text: `stop` is the index of its line end, `key` and `value` are as printed.

    `decoder` is none, data, transaction or offsets, or empty if the text does not tell.
    """

    stop: int
    decoder: str
    key: str | None = None
    value: str | None = None
    json_key: dict[str, Any] | None = None


def at_line_end(buffer: bytes, index: int) -> bool:
    """Return whether a line, or the buffer, ends here."""
    return index == len(buffer) or buffer[index] == 10 or buffer.startswith(b"\r\n", index)  # noqa: PLR2004 - "\n"
