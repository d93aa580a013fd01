"""Which segments that were not read would tell more, the smallest useful set first."""
