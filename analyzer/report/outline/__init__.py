"""What a report says, in its order, as data: one outline that every format shows."""
