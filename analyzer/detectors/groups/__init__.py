"""Findings about consumer groups and their offset commits (GRP)."""
