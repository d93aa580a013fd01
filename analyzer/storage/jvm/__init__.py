"""What Spark on a JVM needs: Java itself, the Delta jars, how it is started, what is shipped to a cluster."""
