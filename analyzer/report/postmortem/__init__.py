"""The draft of a post-mortem: what a document says of an incident, for people who were not there, as data."""
