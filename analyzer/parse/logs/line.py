"""What a line of a log, a metric or a client's statistics says, as a row of `log_lines`."""

from typing import Any

LogLine = dict[str, Any]
"""A row of `log_lines`, by column, without its place in the file."""
MOST_TEXT = 500
"""Characters of a line that its row keeps."""
