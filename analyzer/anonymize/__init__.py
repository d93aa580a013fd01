"""Writes a copy of a capture that may leave the company: names, keys and payloads are replaced, all else stays."""
