"""The lines of logs that say something about a transaction or a partition, by who writes them (RULES F 5)."""
