"""The commands that judge a capture, their options and exit codes: run, ingest, analyze and report."""
