"""Lifecycles: what logs, the coordinator's history and groups show, as tables that detectors read."""

from analyzer.lifecycles.registry import ALL

__all__ = ["ALL"]
