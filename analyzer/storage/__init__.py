"""Where tables live: the Spark session, the Delta jars it needs, and the Delta tables of a case."""
