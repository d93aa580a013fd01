"""Findings from pasted answers of admin tools: another way to the faults that files show, under the same names."""
