r"""What chats, tickets and pages put around a block of what a tool printed, on its first and last line.

```Topic  Partition  ProducerId ...           {noformat}Topic  Partition ...           <pre>$ kafka-topics.sh ...
orders  3  4003 ...```                        orders  3  4003 ...{noformat}            ...</pre>
"""

import re

_BEGIN = re.compile(r"\s*(?:`{3}|\{(?:code|noformat|quote)(?::[^}\n]{0,60})?\}|<(?:pre|code)(?: [^>\n]{0,100})?>){1,3}")
_END = re.compile(r"(?:`{3}|\{(?:code|noformat|quote)\}|</(?:pre|code)>){1,3}\s*$")


def unfenced(text: str) -> str:
    """Return a line without the mark that begins or ends a block; one that holds nothing else is empty."""
    if "`" not in text and "{" not in text and "<" not in text:
        return text
    begin = _BEGIN.match(text)
    return _END.sub("", text[begin.end() :] if begin else text)
