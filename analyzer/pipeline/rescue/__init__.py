"""How the records that an abort would discard are saved: which they are, where they stand, how they are written."""
