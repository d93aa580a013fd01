"""Answers of look-ups as text, as JSON, as CSV and as a trace: one file per answer and form."""
