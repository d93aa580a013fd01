"""Answers about one record, one id or one moment from a stored case: plain Python over rows, no session."""
