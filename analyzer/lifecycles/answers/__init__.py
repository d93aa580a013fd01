"""What brokers and coordinators answered to tools that asked about transactions, as somebody pasted it."""
