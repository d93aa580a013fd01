"""What happened to keyed topics that were expanded: counts, thresholds, and keys out of order (KIP-253)."""
