"""Where the ids of internal topics lie, the partition counts that explain it, and the ids that lie elsewhere."""
