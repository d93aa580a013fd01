"""The commands that judge a capture, and what their reports are printed with: run, ingest, analyze and report."""
