"""Which case a command means, where a run writes, and what a case holds."""
