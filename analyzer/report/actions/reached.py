"""Commands of a report as they reach its reader's brokers: the way that options give, else the one of a paste."""

import dataclasses
from collections.abc import Mapping
from typing import Any, cast

from analyzer.kafka.reaching.reach import UNKNOWN, Reach, agreed, pasted, stored
from analyzer.report.document.types import Document

_COMMANDS = ("command", "check_command", "save_command")


def pasted_way(capture: Mapping[str, Any]) -> Reach:
    """Return the way that the commands in a capture's files go (its `ways`), if they all go the same."""
    rows = capture.get("ways") or []
    found = ((pasted(row["text"]), f"{row['path']}:{row['line']}") for row in rows)
    return agreed([dataclasses.replace(way, source=source) for way, source in found if way])


def reach_of(document: Document | Mapping[str, Any]) -> Reach:
    """Return the way that the document tells; the reader's own where it tells none."""
    told = document.get("reach")
    return stored(cast("Mapping[str, Any]", told)) if told else UNKNOWN


def reached(document: dict[str, Any], given: Reach = UNKNOWN) -> dict[str, Any]:
    """Return a document whose commands reach the brokers: as `given`, else as the document itself knows."""
    reach = given or reach_of(document)
    if not reach:
        return document
    findings = [one | {"action": _action(one["action"], reach)} for one in document["findings"]]
    return document | {"findings": findings, "reach": reach.told()}


def _action(action: dict[str, Any], reach: Reach) -> dict[str, Any]:
    told = {name: reach.command(action[name]) for name in _COMMANDS if action.get(name)}
    if not action.get("steps"):
        return action | told
    steps = [
        step | {"commands": [one | {"command": reach.command(one["command"])} for one in step["commands"]]}
        for step in action["steps"]
    ]
    return action | told | {"steps": steps}
