"""What a line of a dump looks like, in each version, and the text of a record on it."""
