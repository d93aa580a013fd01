"""What a command that judges exits with, by what was found."""

from collections.abc import Sequence
from typing import Any

EXIT_CODES = {"clean": 0, "findings": 1, "inconclusive": 3, "unusable": 2}


def anything_opened(documents: Sequence[dict[str, Any]]) -> bool:
    """Return whether some finding was not in the capture before."""
    return any(finding.get("status") == "opened" for document in documents for finding in document["findings"])


def exit_code(documents: Sequence[dict[str, Any]], *, findings: bool = True) -> int:
    """Return 1 if any capture has findings, 2 if none is usable, otherwise 3 if one is not clean, otherwise 0.

    `findings`: whether findings count.
    """
    codes = {EXIT_CODES[document["verdict"]] for document in documents}
    if codes == {EXIT_CODES["unusable"]}:
        return EXIT_CODES["unusable"]
    if EXIT_CODES["findings"] in codes and findings:
        return EXIT_CODES["findings"]
    return EXIT_CODES["inconclusive"] if codes - {0, EXIT_CODES["findings"]} else 0
