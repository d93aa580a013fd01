"""Opens files as text or bytes, whatever their compression and encoding."""

from analyzer.opening.files import PACKED_AS, name_before, open_text, raw_file, read_line, skip
from analyzer.opening.streams import DAMAGE, packed_by

__all__ = ["DAMAGE", "PACKED_AS", "name_before", "open_text", "packed_by", "raw_file", "read_line", "skip"]
