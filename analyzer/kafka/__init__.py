"""What Kafka itself defines, in plain Python: routing hashes, transaction states, names of files and folders."""
