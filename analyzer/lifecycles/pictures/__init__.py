"""Rows to draw from: what surrounds a finding in time, how a partition's log grew, how many ids are where."""
