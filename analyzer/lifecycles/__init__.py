"""From facts to lifecycles: what each log and the coordinator's history show, transaction by transaction."""

from analyzer.lifecycles.build import Lifecycles, Read, build, build_sides, stored_captures
from analyzer.lifecycles.hold import Hold

__all__ = ["Hold", "Lifecycles", "Read", "build", "build_sides", "stored_captures"]
