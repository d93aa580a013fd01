"""Forensics of hanging Kafka transactions: from log dumps to a verdict a person can check."""
