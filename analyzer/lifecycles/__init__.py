"""Lifecycles: what logs, the coordinator's history and groups show, as tables that detectors read."""

from analyzer.lifecycles.inputs import Hold, Inputs
from analyzer.lifecycles.registry import ALL
from analyzer.lifecycles.running import Run

__all__ = ["ALL", "Hold", "Inputs", "Run"]
