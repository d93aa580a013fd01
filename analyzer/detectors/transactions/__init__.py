"""Findings about transactions that hang, were torn apart or ended wrongly (TXN)."""
