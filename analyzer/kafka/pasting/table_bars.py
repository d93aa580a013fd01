r"""Tables whose cells stand between bars: Markdown, Jira, and the frames that some programs draw; or between commas.

| Topic | Partition | ProducerId |        ||Topic||Partition||ProducerId||        +-------+-----------+
|-------|-----------|------------|        |orders|3|5017|                          | Topic | Partition |

Topic,Partition,ProducerId                Topic;Partition;ProducerId               (CSV, as spreadsheets write it)
"""

import csv
import re

_BAR = re.compile(r"[ \t]*(?:\|{1,2}|\u2502)[ \t]*")
_OF_RULES = frozenset("|+-=: >\t\u2500\u2502\u251c\u253c\u2524\u250c\u252c\u2510\u2514\u2534\u2518")
_QUOTED = re.compile(r"\s*(?:(?:>|&gt;)\s?){0,8}")
_FEWEST_CELLS = 3
_LONGEST = 4_000
_MOST_BARS = 40
_HEADS_CSV = re.compile(r"\b(?:producerid|producer_id|producer-id|partition)\b", re.IGNORECASE)
"""What stands in the header of every table that is read: a line without it begins none."""


def is_rule(text: str) -> bool:
    """Return whether a line is nothing but the rule between a head and its rows."""
    return len(text) < _LONGEST and _OF_RULES.issuperset(text) and any(rule in text for rule in ("--", "==", "\u2500"))


def without_bars(text: str) -> str | None:
    """Return the cells of a row, parted by tabs; None where fewer than three stand between bars."""
    if "|" not in text and "\u2502" not in text:
        return None
    bare = _QUOTED.sub("", text, count=1).strip().strip("|\u2502").strip(" \t`")
    if len(text) > _LONGEST or not _FEWEST_CELLS - 1 <= len(_BAR.findall(bare)) <= _MOST_BARS:
        return None
    return "\t".join(cell.strip("`* ") for cell in _BAR.split(bare)) + "\t"


def without_commas(text: str, *, below: bool) -> str | None:
    """Return the cells of a row of CSV, parted by tabs; `below` a header, else only what may be one."""
    bare = _QUOTED.sub("", text, count=1).strip()
    comma = max(",;", key=bare.count)
    cut = bare.count(comma) < _FEWEST_CELLS - 1 or len(bare) > _LONGEST or "\t" in bare
    if cut or not (below or _HEADS_CSV.search(bare)):
        return None
    try:
        cells = next(csv.reader([bare], delimiter=comma, skipinitialspace=True, strict=True))
    except csv.Error:
        return None
    return "\t".join(cell.strip() for cell in cells) + "\t"
