"""What a capture does not show, and which file would."""
