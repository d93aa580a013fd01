"""The list of segments that stay on the broker: all that the archive has not, and nothing with a hostile name."""

from collecting import put

SEGMENT = "00000000000000000000.log"
NEXT = "00000000000000000042.log"


def test_what_the_light_capture_leaves_is_listed_with_its_size(collect, log_dir):
    put(log_dir, f"orders-0/{SEGMENT}", b"x" * 100)
    put(log_dir, f"orders-0/{NEXT}", b"x" * 7)
    put(log_dir, f"__transaction_state-3/{SEGMENT}")
    put(log_dir, f"__cluster_metadata-0/{SEGMENT}")
    archive = collect("--log-dir", log_dir)
    assert archive.lines("there") == {f"broker-3/orders-0/{SEGMENT}": ["100"], f"broker-3/orders-0/{NEXT}": ["7"]}
    assert archive.manifest[-1][0] == "end"


def test_what_was_asked_for_is_not_listed_as_left(collect, log_dir):
    put(log_dir, f"orders-0/{SEGMENT}")
    put(log_dir, f"orders-1/{SEGMENT}")
    archive = collect("--log-dir", log_dir, "--partition", "orders-0")
    assert set(archive.lines("there")) == {f"broker-3/orders-1/{SEGMENT}"}
    assert collect("--log-dir", log_dir, "--all").lines("there") == {}


def test_hostile_names_and_links_are_not_listed(collect, log_dir, tmp_path):
    put(tmp_path / "outside", f"orders-9/{SEGMENT}")
    for name in ["a b-0", "new\nline-0", "quote'\"-0", "$(id)-0", "orders-0.abc-delete"]:
        put(log_dir, f"{name}/{SEGMENT}")
    (log_dir / "orders-9").symlink_to(tmp_path / "outside" / "orders-9")
    put(log_dir, f"orders-0/{SEGMENT}")
    assert set(collect("--log-dir", log_dir).lines("there")) == {f"broker-3/orders-0/{SEGMENT}"}


def test_a_list_may_name_a_whole_partition(collect, log_dir):
    for name in [SEGMENT, NEXT, "00000000000000000042.snapshot", "leader-epoch-checkpoint", "secret.txt"]:
        put(log_dir, f"orders-0/{name}")
    put(log_dir, f"orders-1/{SEGMENT}")
    archive = collect("--log-dir", log_dir, "--files", "-", input="broker-3/orders-0\nbroker-4/orders-1\n")
    taken = {name.partition("/")[2] for name in archive.lines("file")}
    assert taken == {
        f"orders-0/{SEGMENT}",
        f"orders-0/{NEXT}",
        "orders-0/00000000000000000042.snapshot",
        "orders-0/leader-epoch-checkpoint",
    }
    assert archive.lines("left-out") == {}
