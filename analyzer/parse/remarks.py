"""Tells what a line means that tools print beside the data: nothing, a remark, or that the tool died."""

import enum
import re


class Says(enum.Enum):
    """What such a line means for its section."""

    NOTHING = "nothing"
    REMARK = "remark"
    FOREIGN = "foreign"
    DIED = "died"
    TRACE = "trace"
    CUT_OUT = "cut out"


_DIED = re.compile(
    rb"Exception in thread \"main\" "
    rb"|\s+at (?:org\.apache\.)?kafka\.tools\.(?:\w+\.)*(?:DumpLogSegments|ConsoleConsumer)\b"
)
_TRACE = re.compile(
    rb"Exception in thread |Caused by: |\s+at [\w.$]+[(/]|\s+\.\.\. \d+ (?:more|common frames)"
    rb"|(?:[a-z_]\w*\.)+[A-Z][\w$]*(?:Exception|Error)(?::|$)"
)
"""A stack trace of any program; only its own frames show that it is the tool's."""
_REMARK = re.compile(
    rb"Found \d+ invalid bytes at the end of |Snapshot is corrupt |Snapshot contained an unknown "
    rb"|Snapshot failed schema validation|Mismatches in ?:|Found timestamp mismatch in ?:"
    rb"|Found out of order timestamp in ?:|Ignoring unknown file |Failed to \w+ |Error: |Consumer group '"
    rb"|\S.* is empty\.$|\S.* passed sanity check\.$"
)
_NOTHING = re.compile(
    rb"\s*$|  Index offset: \d+, log offset: |  Index timestamp: -?\d+, |Indexed offset: \d+, found log offset: "
    rb"|The following indexed offsets are not found in |Non-(?:con)?secutive offsets in |  -?\d+ is followed by -?\d+$"
    rb"|\S.* is deprecated(?:\.| and will be removed)|Processed a total of \d+ messages"
    rb"|(?:Log s|S)tarting offset: \d+$|Snapshot end offset: \d+, epoch: \d+$|KRaft bootstrap snapshot$"
)
CUT_OUT = re.compile(
    rb"[\s#/*<>(\[|-]*(?:\.{2,}|(?:\. ){2,}\.|\xe2\x80\xa6)[\s#/*<>)\]|-]*$"
    rb"|[\s#/*]*[-.<(\[]+ ?(?:[\w ,]{0,40} )?"
    rb"(?:snip|snipped|cut|cut out|omitted|truncated|skipped|left out) ?[->.)\]]+\s*$",
    re.IGNORECASE,
)
"""What people write where they cut lines out: `...`, `[...]`, `<snip>`, `... 120 lines omitted ...`."""
ELIDED = re.compile(rb"(?:baseOffset|offset): \d{1,19}\b.{0,2000}?(?:\.{2,}|\xe2\x80\xa6)")
"""A batch line, or an old record line, of which people left a part out: what it says is lost, as if it were cut out."""
_FOREIGN = re.compile(
    rb"log4j:|SLF4J: |Picked up _?J[A-Z_]+: |(?:OpenJDK|Java HotSpot)\b.* warning: |WARNING: "
    rb"|\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\] [A-Z]+ |(?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d:\d\d[.,]\d{3} \[|\$ \S*kafka"
)


def lacks_lines(line: bytes) -> bool:
    """Return whether a line that is not understood shows that something was cut out: whole lines, or a part of it."""
    return CUT_OUT.match(line) is not None or ELIDED.match(line) is not None


def remark_of(line: bytes) -> Says | None:
    """Return what the line means, None if no known tool prints it.

    Known are the notes, complaints and stack traces of DumpLogSegments and of the console consumer (0.8 to 4.4), their
    headers, what log4j, SLF4J and the JVM print in between: `Picked up JAVA_TOOL_OPTIONS: -Xmx256m`, and the mark
    that people leave where they cut lines out.
    """
    if _NOTHING.match(line):
        return Says.NOTHING
    if CUT_OUT.match(line):
        return Says.CUT_OUT
    if _REMARK.match(line):
        return Says.REMARK
    if _DIED.match(line):
        return Says.DIED
    if _TRACE.match(line):
        return Says.TRACE
    return Says.FOREIGN if _FOREIGN.match(line) else None
