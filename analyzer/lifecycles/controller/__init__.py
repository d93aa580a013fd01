"""The controllers' log by itself: what the quorum decided, and the state of the cluster at every offset of it."""
