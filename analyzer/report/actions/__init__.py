"""What to do about a finding, as data: the one home of steps, commands, what they answer, and what they need."""
