"""Findings about producer ids, their epochs and sequences (PID)."""
