"""Each decision of the coordinator in each log that it names, with the marker that carries it out."""
