"""The two engines that compute tables: what they differ in, and which of them a command takes."""
