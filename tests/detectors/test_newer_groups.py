"""Groups of newer protocols: two producers in turn are found, and what an epoch of the group explains is not."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cluster import START_MS
from dump_text import Batch, Newer, log_text
from fill_page import batch_of
from judged_together import judged_together

PROTOCOLS = {"consumer": (3, 5, 8), "streams": (17, 19, 22)}
"""Key types of a group's epoch, of a member, and of a member's epoch."""


def files(between) -> dict[str, str]:
    """The files of a capture in which two producers commit one position in turn; `between` are records before each."""
    batches, at = [], 0
    for turn in range(6):
        for record in between(turn):
            batches.append(Batch(at, at, START_MS + 100 * at, commits=(record,)))
            at += 1
        who = f"p{7 + turn % 2}e0"
        batches.append(batch_of(f"{at} commit agg clicks-1={10 + turn} {who} s{turn} @{100 * at}"))
        batches.append(batch_of(f"{at + 1} COMMIT {who} @{100 * at + 50}"))
        at += 2
    path = f"__consumer_offsets-0/{0:020d}.log"
    return {
        "capture.toml": "captured_at = 2026-01-01T10:10:00Z\n[partition_counts]\n__consumer_offsets = 1\n",
        f"broker-1/{path}.txt": log_text(path, batches),
    }


def captures():
    for protocol, (group, member, of_member) in PROTOCOLS.items():
        # what a heartbeat or a subscription writes is no rebalance
        yield f"{protocol} members", files(lambda turn, kind=member: [Newer("agg", kind, "", 0, f"m{turn % 2}")])
        yield f"{protocol} epochs", files(lambda turn, kind=group: [Newer("agg", kind, "epoch", turn)])
        yield (
            f"{protocol} member epochs",
            files(lambda turn, kind=of_member: [Newer("agg", kind, "memberEpoch", turn, "m")]),
        )


CAPTURES = dict(captures())


@judged_together
def documents():
    return CAPTURES


@pytest.fixture(scope="module")
def found(documents):
    return {name: [finding["code"] for finding in one["findings"]] for name, one in documents.items()}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_two_producers_in_turn_are_found_between_records_of_members(found, protocol):
    assert "GRP001" in found[f"{protocol} members"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", ["epochs", "member epochs"])
def test_a_new_epoch_before_each_switch_explains_it(found, protocol, kind):
    assert "GRP001" not in found[f"{protocol} {kind}"]
