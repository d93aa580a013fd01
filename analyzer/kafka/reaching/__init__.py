"""How printed commands reach the brokers of whoever reads them, and how pasted ones do."""
