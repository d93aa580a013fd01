"""__transaction_state that was expanded twice: what lies by either old count is misplaced, and its leaders are known."""

import pytest
from dump_text import Batch, State, log_text
from judged_together import judged_together

from analyzer.kafka.hashing import partition_for

AT = 1_767_261_600_000
SECOND, MINUTE = 1_000, 60_000
IDS = [f"app-{number}" for number in range(30)]
COUNTS = (4, 6, 9)
SEGMENT = "orders-0/00000000000000000000.log"
FIRST = next(one for one in IDS if len({partition_for(one, count) for count in COUNTS}) == 3)


class Topic:
    """The state partitions, and one data partition, of ids that each count in turn places."""

    def __init__(self) -> None:
        self.states: dict[int, list[Batch]] = {partition: [] for partition in range(COUNTS[-1])}
        self.data = [Batch(0, 0, AT)]
        self.now, self.producer = AT + SECOND, 1_000

    def write(self, state: State, partition: int, epoch: int) -> None:
        log = self.states[partition]
        log.append(Batch(len(log), len(log), state.updated_ms, leader_epoch=epoch, state=state))

    def transaction(self, name: str, count: int, epoch: int, *, ended: bool = True) -> None:
        at, partition = self.now, partition_for(name, count)
        self.now, self.producer = at + SECOND, self.producer + 1
        end = self.data[-1].last_offset + 1
        self.data.append(Batch(end, end, at + 50, self.producer, 0, 0, transactional=True))
        steps = [("Ongoing", 0), ("PrepareCommit", 100), ("CompleteCommit", 110)]
        for state, ms in steps if ended else steps[:1]:
            listed = () if state == "CompleteCommit" else ("orders-0",)
            self.write(State(name, self.producer, 0, state, listed, at + ms), partition, epoch)
        if ended:
            self.data.append(Batch(end + 1, end + 1, at + 105, self.producer, 0, transactional=True, marker="COMMIT"))

    def files(self, epoch: int = 0, *, described: bool = True) -> dict[str, str]:
        toml = f"captured_at = {self.now + 10 * MINUTE}\n"
        toml += f"[partition_counts]\n__transaction_state = {COUNTS[-1]}\n" if described else ""
        out = {"capture.toml": toml, f"broker-1/{SEGMENT}.txt": log_text(SEGMENT, self.data)}
        for partition, batches in self.states.items():
            name = f"__transaction_state-{partition}"
            out[f"broker-1/{name}/{0:020d}.log.txt"] = log_text(f"{name}/{0:020d}.log", batches)
            starts = {one.leader_epoch: one.base_offset for one in reversed(batches)}
            if epoch:
                starts[epoch] = len(batches)
            lines = "".join(f"{key} {start}\n" for key, start in sorted(starts.items()))
            out[f"broker-1/{name}/leader-epoch-checkpoint"] = f"0\n{len(starts)}\n{lines}"
        return out


def grown(epochs: tuple[int, ...] = (0, 0, 0)) -> Topic:
    """Every id has a transaction by each count; that of FIRST by the first count is not ended, and its last."""
    topic = Topic()
    for count, epoch in zip(COUNTS, epochs, strict=False):
        for name in IDS:
            if name != FIRST or count == COUNTS[0]:
                topic.transaction(name, count, epoch, ended=name != FIRST)
        topic.now += 5 * MINUTE
    return topic


def scattered() -> dict[str, str]:
    """Ids in partitions where no count puts them."""
    topic = Topic()
    for number, name in enumerate(IDS * 3):
        topic.states[number * 7 % COUNTS[-1]].append(
            Batch(0, 0, AT, state=State(name, 2_000 + number, 0, "CompleteCommit", (), AT))
        )
    for batches in topic.states.values():
        batches[:] = [Batch(at, at, AT + at, state=batch.state) for at, batch in enumerate(batches)]
    return topic.files()


CAPTURES = {
    "restarted": grown().files(5),
    "untold": grown().files(5, described=False),
    "still on the first count": grown().files(),
    "on the second count": grown((0, 5)).files(),
    "scattered": scattered(),
}


@judged_together
def documents():
    return CAPTURES


def found(document, code):
    return [one for one in document["findings"] if one["code"] == code]


@pytest.mark.parametrize("name", ["restarted", "untold"])
def test_three_counts_are_told_and_what_the_first_one_placed_is_an_orphan(documents, name):
    document = documents[name]
    (cutover,) = found(document, "RTE003")
    assert "from 4 to 6 and then to 9 partitions" in cutover["headline"]
    assert cutover["confidence"] == "certain"
    (orphan,) = found(document, "RTE004")
    place = partition_for(FIRST, COUNTS[0])
    assert (orphan["transactional_id"], orphan["partition"], orphan["confidence"]) == (FIRST, place, "likely")
    assert any(f"hash % {COUNTS[0]} places it there" in step["text"] for step in orphan["steps"])
    assert [one["verdict"] for one in document["open_transactions"]] == ["orphaned"]
    (topic,) = document["routing"]["topics"]
    assert (topic["how"], topic["older_count"], topic["old_count"], topic["new_count"]) == ("three", *COUNTS)
    misplaced = {(one["transactional_id"], one["partition"]) for one in found(document, "RTE001")}
    expected = {
        (name, partition_for(name, count))
        for name in IDS for count in COUNTS
        if partition_for(name, count) != partition_for(name, COUNTS[-1]) and (name != FIRST or count == COUNTS[0])
    }  # fmt: skip
    assert misplaced == expected


def test_a_leader_that_still_works_by_the_first_count_serves_it(documents):
    assert not found(documents["still on the first count"], "RTE004")


def test_a_leader_by_the_second_count_does_not_serve_what_the_first_one_placed(documents):
    document = documents["on the second count"]
    assert [one["transactional_id"] for one in found(document, "RTE004")] == [FIRST]


def test_ids_that_no_counts_explain_leave_the_capture_inconclusive(documents):
    document = documents["scattered"]
    assert [one["kind"] for one in document["coverage"]["notes"]].count("scattered_ids") == 1
    assert not found(document, "RTE003")
    assert document["verdict"] != "clean"
