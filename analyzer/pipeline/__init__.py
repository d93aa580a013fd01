"""The stages joined to storage: ingest files, analyse captures. Calls and names; computes nothing."""
