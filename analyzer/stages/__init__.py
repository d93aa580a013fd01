"""What makes tables of tables, whatever they are about: stages as data, the order they run in, how rows are kept."""
