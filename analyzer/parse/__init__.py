"""Raw files and texts of Kafka's tools as rows of the fact tables."""
