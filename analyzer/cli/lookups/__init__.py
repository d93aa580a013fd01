"""The commands that answer about one record, one id or one moment: one file each."""
