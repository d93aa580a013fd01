"""The controllers' log beside the other logs: who led when, what an unclean election took, who works by which count."""
