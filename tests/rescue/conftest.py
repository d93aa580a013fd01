"""What the tests of rescue share: the writer of segments by hand, the reader of its own, and the command line without a session."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "segments"))


@pytest.fixture
def command(command_alone):
    """The command line, which needs no session to rescue."""
    return command_alone
