"""Findings of the coordinator's records by themselves: stuck decisions, illegal states, forgotten transactions."""
