"""What the files say of one open transaction: each question is a function of its row."""
