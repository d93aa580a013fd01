"""The JSON document of a capture: its types, and how it is put together from result rows."""
