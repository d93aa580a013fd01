"""What `sql` answers beside rows: which tables there are, what is in them, and what is wrong with a query."""
