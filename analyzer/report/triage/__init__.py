"""What a reader must know first: incidents by cause and by the danger of the wrong action, and what is undecided."""
