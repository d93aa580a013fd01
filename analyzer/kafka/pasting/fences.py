r"""What chats, tickets and pages put around a block of what a tool printed, on its first and last line.

```Topic  Partition  ProducerId ...           {noformat}Topic  Partition ...           <pre>$ kafka-topics.sh ...
orders  3  4003 ...```                        orders  3  4003 ...{noformat}            ...</pre>
"""

import re

BEGIN = r"(?:`{3}|\{(?:code|noformat|quote)(?::[^}\n]{0,60})?\}|<(?:pre|code)(?: [^>\n]{0,100})?>){1,3}"
"""The marks that stand before the first line of a block."""
_BEGIN = re.compile(rf"\s*{BEGIN}")
_LAST = ("`", "}", ">")
END = r"(?:`{3}|\{(?:code|noformat|quote)\}|</(?:pre|code)>){1,3}"
"""The marks that stand after its last line."""
_END = re.compile(rf"{END}\s*$")
_MARKED = re.compile(r"(\s*)(\*\*|`)((?!\s)(?:(?!\2).){1,4000})\2\s*")
"""A line that is set in bold or as code by itself."""


def without_end(text: str) -> str:
    """Return a text without the mark that ends a block."""
    return _END.sub("", text) if text.rstrip()[-1:] in _LAST else text


def unfenced(text: str) -> str:
    """Return a line without the mark that begins or ends a block; one that holds nothing else is empty."""
    if "`" not in text and "{" not in text and "<" not in text and "**" not in text:
        return text
    if marked := _MARKED.fullmatch(text):
        return f"{marked[1]}{marked[3]}"
    begin = _BEGIN.match(text)
    return _END.sub("", text[begin.end() :] if begin else text)
