"""What the records of internal and keyed topics mean, whichever form they were read from."""
