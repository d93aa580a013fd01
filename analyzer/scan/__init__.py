"""What a path holds: captures, their files, how each file is read and where its folders place it."""
