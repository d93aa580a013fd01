"""Reports: the JSON document of a capture in every format; pure functions without files or the time of day."""
