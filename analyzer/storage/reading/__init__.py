"""What a case holds, read on the driver from a folder of this machine, without a session."""
