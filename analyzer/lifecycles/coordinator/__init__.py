"""What __transaction_state shows by itself: each id's transactions, and the orders of states that cannot be."""
