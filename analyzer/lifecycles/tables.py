"""Every derived table: what stages make, detectors read and `sql` queries, by one name."""

from collections.abc import Mapping

from analyzer.lifecycles.answers import tables as answers
from analyzer.lifecycles.controller import tables as controller
from analyzer.lifecycles.coordinator import tables as coordinator
from analyzer.lifecycles.groups import tables as groups
from analyzer.lifecycles.keyed import tables as keyed
from analyzer.lifecycles.leadership import tables as leadership
from analyzer.lifecycles.logs import tables as logs
from analyzer.lifecycles.matching import tables as matching
from analyzer.lifecycles.opens import tables as opens
from analyzer.lifecycles.pairing import tables as pairing
from analyzer.lifecycles.producers import tables as producers
from analyzer.lifecycles.routing import tables as routing
from analyzer.tables import Table

ROOMS = (
    controller, leadership, logs, coordinator, routing, pairing, matching, opens, producers, groups, keyed, answers,
)  # fmt: skip

DERIVED: Mapping[str, Table] = {table.name: table for room in ROOMS for table in room.TABLES}
"""What stages hand each other and detectors read, by name."""
