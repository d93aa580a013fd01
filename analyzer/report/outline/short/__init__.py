"""The short report: a first screen that answers everything, then each thing once; and rows of it alone."""
