"""Text of DumpLogSegments, every version from 0.8 on."""
