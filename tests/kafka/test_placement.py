"""Which log a path belongs to, and which paths only look like one."""

import pytest

from analyzer.kafka.placement import Placement, flat_prefixes, own_name, place_of

NAME = "00000000000000000042.log"


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (f"broker-1/orders.eu-3/{NAME}", Placement("1", "orders.eu", 3, 42)),
        (f"orders/kafka-2-disk-0-orders-3/{NAME}", Placement("2", "orders", 3, 42)),
        ("broker1-orders-0.txt", Placement("1", None, None, None)),
        ("broker-2/broker1-orders-0.txt", Placement("2", None, None, None)),
        ("kafka-3.9.1-orders-0.txt", Placement(None, None, None, None)),
        ("broker-3.9.1.txt", Placement(None, None, None, None)),
        (f"dumps-20260101120000/{NAME}", Placement(None, None, None, 42)),
        (f"orders/kafka-2-orders-99999999999/{NAME}", Placement(None, None, None, 42)),
        ("orders-3/99999999999999999999.log", Placement(None, "orders", 3, None)),
        ("orders-3/09223372036854775807.log", Placement(None, "orders", 3, (1 << 63) - 1)),
        (f"orders-3.0123456789abcdef-delete/{NAME}", Placement(None, None, None, 42)),
        (f"orders-3_{NAME}", Placement(None, "orders", 3, 42)),
        (f"x/or_ders.eu-3.{NAME}.txt", Placement(None, "or_ders.eu", 3, 42)),
        (f"orders-3_{NAME.removesuffix('.log')}.snapshot", Placement(None, "orders", 3, 42)),
        (f"logdir_broker-1_orders-3_{NAME}", Placement("1", "orders", 3, 42)),
        (f"broker-1___transaction_state-7_{NAME}", Placement("1", "__transaction_state", 7, 42)),
        (f"h1___consumer_offsets-7_{NAME}", Placement(None, "__consumer_offsets", 7, 42)),
        ("in/broker-1_orders-3_leader-epoch-checkpoint", Placement("1", "orders", 3, None)),
        ("orders-3.partition.metadata", Placement(None, "orders", 3, None)),
        ("log_broker-2_recovery-point-offset-checkpoint", Placement("2", None, None, None)),
        (f"kafka-3_{NAME}", Placement(None, "kafka", 3, 42)),
        (f"orders-3/payments-1_{NAME}", Placement(None, "orders", 3, 42)),
        (f"broker-1-orders-3-{NAME}", Placement("1", None, None, 42)),
        (f"orders-20260101120000_{NAME}", Placement(None, None, None, 42)),
    ],
)
def test_a_path_names_its_log(path, place):
    assert place_of(path) == place


@pytest.mark.parametrize(("hosts", "replica"), [(("h1_",), None), (("h1_", "h2_"), "h1"), (("h1_", ""), "h1")])
def test_what_stands_before_the_names_of_internal_topics_is_of_no_topic(hosts, replica):
    prefixes = flat_prefixes([f"in/{host}__transaction_state-4_{NAME}" for host in hosts])["in"]
    assert place_of(f"in/h1_orders-3_{NAME}", prefixes) == Placement(replica, "orders", 3, 42)
    named = flat_prefixes([f"in/log_broker-1_{host}__transaction_state-4_{NAME}" for host in hosts])["in"]
    assert place_of(f"in/log_broker-1_{hosts[0]}orders-3_{NAME}", named) == Placement("1", "orders", 3, 42)


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("broker-2_recovery-point-offset-checkpoint", "recovery-point-offset-checkpoint"),
        ("h1.orders-3.leader-epoch-checkpoint", "leader-epoch-checkpoint"),
        ("orders-3_partition.metadata", "partition.metadata"),
        ("log-start-offset-checkpoint", "log-start-offset-checkpoint"),
        ("my-checkpoint", "my-checkpoint"),
    ],
)
def test_a_checkpoint_is_known_after_its_folder(name, own):
    assert own_name(name) == own
