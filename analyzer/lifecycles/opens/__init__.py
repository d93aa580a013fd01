"""What is asked about each transaction that is open in the broker view, and all answers in one table."""
