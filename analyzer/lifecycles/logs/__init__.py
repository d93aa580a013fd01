"""What each copy of a log shows by itself: batches, bounds, transactions, leader epochs, cleaning, damage."""
