"""Findings about logs that are damaged or differ between replicas (LOG)."""
