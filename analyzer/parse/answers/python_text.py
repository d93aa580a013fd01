r"""Reads values as Python prints them: kafka-python's answers, by its command line or by `print`.

{'orders:3': {'active_producers': [{'coordinator_epoch': 4,
                                    'current_transaction_start_offset': 87, ...}]}}
{TopicPartition(topic='orders', partition=3): PartitionProducerState(active_producers=[ProducerState(...)])}
{'pay-1': TransactionDescription(coordinator_id=1, state=<TransactionState.ONGOING: 'Ongoing'>, ...)}

A named tuple is an object of its fields; a partition that is a key is `orders:3`, as the command line has it.
"""

import ast
import re
import warnings
from typing import Any

_MEMBER = re.compile(r"<\w{1,60}\.\w{1,60}: ('[^'\n]{0,300}'|-?\d{1,19})>")
"""A member of an enumeration."""
_STRING = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"")


class NoPythonError(ValueError):
    """A text is no value as Python prints it."""


def open_brackets(line: str) -> int:
    """Return how many brackets a line opens beyond those that it closes; those in strings do not count."""
    bare = _STRING.sub("", line)
    return sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))


def python_value(text: str) -> Any:  # noqa: ANN401 - a value as of JSON
    """Return what a text says. Raises NoPythonError where it is none of these values."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(_MEMBER.sub(r"\1", text).strip(), mode="eval")
        return _value(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        raise NoPythonError(str(fault)) from fault


def _value(node: ast.expr) -> Any:  # noqa: ANN401 - a value as of JSON
    match node:
        case ast.Constant(value=str() | int() | float() | None):
            return node.value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
            return -number
        case ast.List() | ast.Tuple() | ast.Set():
            return [_value(one) for one in node.elts]
        case ast.Call(func=ast.Name(), args=[]):
            return {str(one.arg): _value(one.value) for one in node.keywords}
        case ast.Dict():
            pairs = zip(node.keys, node.values, strict=True)
            return {_key(_value(key)): _value(one) for key, one in pairs if key is not None}
    raise NoPythonError(type(node).__name__)


def _key(value: object) -> str:
    if isinstance(value, dict) and value.keys() == {"topic", "partition"}:
        return f"{value['topic']}:{value['partition']}"
    return str(value)
