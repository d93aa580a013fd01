"""How much there is to compute, and how the tables of an analysis are kept for it."""
