"""The findings: one file for each kind of fault, grouped by family, and what runs, folds and names them."""
