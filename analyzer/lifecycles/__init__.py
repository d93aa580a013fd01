"""Lifecycles: what logs, the coordinator's history and groups show, as tables that detectors read."""

from analyzer.lifecycles.build import Lifecycles, build, build_upon, stored_captures
from analyzer.lifecycles.inputs import Hold, Inputs

__all__ = ["Hold", "Inputs", "Lifecycles", "build", "build_upon", "stored_captures"]
