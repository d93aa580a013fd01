"""Where the ids of internal topics lie, the partition counts that explain it, and what lies elsewhere."""
