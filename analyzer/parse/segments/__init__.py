"""The raw files of a log dir: segments, snapshots and indexes."""
