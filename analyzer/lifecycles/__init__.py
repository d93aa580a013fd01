"""From facts to lifecycles: what each log and the coordinator's history show, transaction by transaction."""

from analyzer.lifecycles.build import Lifecycles, build, stored_captures

__all__ = ["Lifecycles", "build", "stored_captures"]
