"""Text under other names: dumps, console output, answers of tools, logs, checkpoints, paths."""
