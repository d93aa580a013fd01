"""The words, quantities, times and pictures that every format shares."""
