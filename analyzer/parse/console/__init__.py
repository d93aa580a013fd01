"""Output of the console consumer's formatters for the internal topics."""
