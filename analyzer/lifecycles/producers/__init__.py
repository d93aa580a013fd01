"""What producer ids did: epochs, sequences, epochs that the coordinator never gave, and ids that expire."""
