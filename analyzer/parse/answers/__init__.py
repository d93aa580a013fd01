"""What tools answer about transactions, partitions and groups: tables, JSON, YAML, and what Java and Python print."""
