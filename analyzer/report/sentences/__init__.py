"""The words, quantities, tables and pictures that every format shares."""
