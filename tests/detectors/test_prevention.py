"""What prevents a finding on brokers that are not Kafka's: nothing that only Kafka has."""

import pytest

from analyzer.detectors.beside.prevention import PREVENTION, prevention
from analyzer.kafka.versions import Brokers


@pytest.mark.parametrize("code", PREVENTION)
def test_other_brokers_are_given_no_setting_of_kafka(code):
    told = " ".join(prevention(code, Brokers(None), (), of_kafka=False))
    assert not any(word in told for word in ("min.insync", "unclean", "upgrade", "PartitionsWithLate", "verification"))
    assert set(prevention(code, Brokers(None), (), of_kafka=False)) <= set(prevention(code, Brokers(None), ()))


def test_what_the_client_does_serves_anywhere():
    assert any("checkpoint" in one for one in prevention("TXN001", Brokers(None), (), of_kafka=False))
