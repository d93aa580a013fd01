"""What __consumer_offsets shows: the commits of each group, their conflicts, and the groups that wait."""
