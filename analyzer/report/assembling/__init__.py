"""Puts the JSON document of a capture together from what an analysis found."""
