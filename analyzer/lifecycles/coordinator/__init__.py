"""What __transaction_state shows by itself: the transactions of each id, and states in a forbidden order."""
