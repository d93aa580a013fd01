"""Findings about ids of internal topics in wrong partitions (RTE)."""
