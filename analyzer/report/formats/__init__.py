"""A document as text, Markdown and JSON."""
