"""What __consumer_offsets shows: each group's commits, their conflicts, and the groups that wait."""
