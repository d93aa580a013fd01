"""The findings: one file for each kind of fault, grouped by family, and what runs, folds and names them."""

from analyzer.detectors.cluster import Cluster
from analyzer.detectors.folding import folded
from analyzer.detectors.model import Detector, Explanation, Ref
from analyzer.detectors.registry import ALL
from analyzer.detectors.running import findings, run_all
from analyzer.detectors.verdicts import verdicts

__all__ = ["ALL", "Cluster", "Detector", "Explanation", "Ref", "findings", "folded", "run_all", "verdicts"]
