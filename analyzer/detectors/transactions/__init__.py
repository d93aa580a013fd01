"""Findings about transactions that hang, are torn or were ended wrongly (TXN)."""
