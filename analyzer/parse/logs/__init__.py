"""Logs of brokers and clients, statistics and metrics, as people paste them: what a line says about a transaction."""
