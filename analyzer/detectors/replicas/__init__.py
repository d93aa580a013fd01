"""Ways to findings that only several replicas of a partition show together."""
