"""What pages and tickets put around what tools print."""
