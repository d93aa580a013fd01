"""The coordinator's decisions held against the partitions' markers, and what that says of each open transaction."""
