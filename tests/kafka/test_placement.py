"""Which log a path belongs to, and which paths only look like one."""

import pytest

from analyzer.kafka.placement import Placement, place_of

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
    ],
)
def test_a_path_names_its_log(path, place):
    assert place_of(path) == place
