"""From facts to lifecycles: what each log and the coordinator's history show, transaction by transaction."""

from analyzer.lifecycles.build import Hold, Lifecycles, build, stored_captures

__all__ = ["Hold", "Lifecycles", "build", "stored_captures"]
