"""The list of all stages, room by room."""

from analyzer.lifecycles.controller.stages import STAGES as CONTROLLER
from analyzer.lifecycles.coordinator.stages import STAGES as COORDINATOR
from analyzer.lifecycles.logs.stages import STAGES as LOGS
from analyzer.lifecycles.matching.stages import STAGES as MATCHING
from analyzer.lifecycles.routing.stages import STAGES as ROUTING
from analyzer.lifecycles.stage import Stage

ALL: tuple[Stage, ...] = (*CONTROLLER, *COORDINATOR, *LOGS, *ROUTING, *MATCHING)
