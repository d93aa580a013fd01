"""Findings about ids that lie where no broker looks for them (RTE)."""
