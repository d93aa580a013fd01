"""Which case a command means, what runs have kept, and how a case is kept small."""
