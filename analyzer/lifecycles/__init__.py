"""From facts to lifecycles: what each log and the coordinator's history show, transaction by transaction."""

from analyzer.lifecycles.build import Lifecycles, build, build_sides, stored_captures
from analyzer.lifecycles.inputs import Hold, Inputs

__all__ = ["Hold", "Inputs", "Lifecycles", "build", "build_sides", "stored_captures"]
