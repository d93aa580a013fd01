"""Files beside the logs: snapshots, indexes, checkpoints, a broker's own log, pasted output of admin tools."""
