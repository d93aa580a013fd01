"""The list of all stages, written by hand, room by room."""

import itertools
from collections.abc import Mapping

from analyzer.lifecycles.answers.stages import STAGES as ANSWERS
from analyzer.lifecycles.collecting.stages import STAGES as COLLECTING
from analyzer.lifecycles.controller.stages import STAGES as CONTROLLER
from analyzer.lifecycles.coordinator.stages import STAGES as COORDINATOR
from analyzer.lifecycles.coverage.stages import STAGES as COVERAGE
from analyzer.lifecycles.groups.stages import STAGES as GROUPS
from analyzer.lifecycles.keyed.stages import STAGES as KEYED
from analyzer.lifecycles.leadership.stages import STAGES as LEADERSHIP
from analyzer.lifecycles.logs.stages import STAGES as LOGS
from analyzer.lifecycles.matching.stages import STAGES as MATCHING
from analyzer.lifecycles.opens.stages import STAGES as OPENS
from analyzer.lifecycles.pairing.stages import STAGES as PAIRING
from analyzer.lifecycles.pictures.stages import STAGES as PICTURES
from analyzer.lifecycles.producers.stages import STAGES as PRODUCERS
from analyzer.lifecycles.routing.stages import STAGES as ROUTING
from analyzer.stages.stage import Stage

ROOMS: Mapping[str, tuple[Stage, ...]] = {
    "controller": CONTROLLER,
    "coordinator": COORDINATOR,
    "logs": LOGS,
    "routing": ROUTING,
    "pairing": PAIRING,
    "matching": MATCHING,
    "opens": OPENS,
    "leadership": LEADERSHIP,
    "answers": ANSWERS,
    "producers": PRODUCERS,
    "groups": GROUPS,
    "keyed": KEYED,
    "coverage": COVERAGE,
    "collecting": COLLECTING,
    "pictures": PICTURES,
}

ALL: tuple[Stage, ...] = tuple(itertools.chain.from_iterable(ROOMS.values()))
