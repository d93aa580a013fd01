r"""Reads YAML as tools in Go print their answers; of its scalars only integers, true, false and null are no text.

- broker: 1                             - summary:                   name: orders
  transaction_id: pay-1                     name: orders             partitions:
  producer_id: 5017                       partitions:                - id: 3
  state: Ongoing                            - partition: 3             newestOffset: 1042
                                                                       replicas: [1, 2]
Source: `yaml.v3` and `yaml.v2`, as rpk and kafkactl use them: a transactional id may be `on`, a topic `0123`. No tool
prints anchors, by which a short text stands for a very long one.
"""

import functools
import re
from collections.abc import Sequence
from typing import Any

_ALIAS = re.compile(r"(?:^|[\s,\[{])[&*!]\S", re.MULTILINE)
_TAG = "tag:yaml.org,2002:"
_SCALARS = {"int": r"-?(?:0|[1-9]\d{0,18})\Z", "bool": r"(?:true|false)\Z", "null": r"(?:null|~|)\Z"}


class NoYamlError(ValueError):
    """A text is no YAML, or has anchors or tags."""


def yaml_value(lines: Sequence[str]) -> Any:  # noqa: ANN401 - a value as of JSON
    """Return what lines say. Raises NoYamlError."""
    import yaml  # noqa: PLC0415 - few texts have any

    text = "\n".join(lines)
    if _ALIAS.search(text):
        raise NoYamlError("anchors or tags")
    try:
        return yaml.load(text, _loader())  # noqa: S506 - it is one of the safe ones
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        raise NoYamlError(str(fault)) from fault


@functools.cache
def _loader() -> type[Any]:
    import yaml  # noqa: PLC0415 - see above

    class Loader(yaml.CSafeLoader):
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - none of those that it inherits

    for kind, form in _SCALARS.items():
        Loader.add_implicit_resolver(_TAG + kind, re.compile(form), None)
    return Loader
