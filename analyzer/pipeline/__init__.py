"""The commands on a case: stages joined to storage. This package calls and names; the stages compute."""
