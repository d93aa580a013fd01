"""Raw files of a log dir under other names: segments batch by batch, and files of numbers."""
