"""What producer ids did: their epochs and sequences, epochs that nobody gave them, ids that expire."""
