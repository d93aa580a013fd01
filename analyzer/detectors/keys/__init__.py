"""Findings about the order of keys in a topic that was expanded (ORD)."""
