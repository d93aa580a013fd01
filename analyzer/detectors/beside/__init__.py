"""What a report says beside a finding: known bugs, whose the id is, what else waits, what prevents it."""
