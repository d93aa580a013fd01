"""Settings of brokers: from server.properties, manifests of collect.sh and capture.toml; nothing secret is kept."""

import pytest

from analyzer.errors import ConfigError
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

PROPERTIES = """
# a comment = 1
unclean.leader.election.enable = true
min.insync.replicas: 2
transaction.max.timeout.ms=900000
transaction.max.timeout.ms 3600000
ssl.keystore.password=hunter2
transactional.id.expiration.ms=hunter2
listeners=PLAINTEXT://:9092
"""


@pytest.fixture
def scanned(tmp_path):
    def _scanned(**files):
        (tmp_path / "orders-0").mkdir()
        (tmp_path / "orders-0" / "leader-epoch-checkpoint").write_text("0\n1\n0 0\n")
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return scan_capture(CaptureRequest((str(tmp_path),)))

    return _scanned


def test_a_configuration_of_a_broker(scanned):
    capture = scanned(**{"broker-1__server_properties": PROPERTIES})
    told = {
        "unclean.leader.election.enable": "true",
        "min.insync.replicas": "2",
        "transaction.max.timeout.ms": "3600000",
    }
    assert capture.manifest.settings == {"broker-1/server.properties": told}
    assert capture.manifest.timeouts == {"transaction_max_timeout_ms": 3_600_000}
    assert "hunter2" not in capture.row["manifest"]
    kinds = {file["path"]: file["file_kind"] for file in capture.files}
    assert kinds["broker-1/server.properties"] == "settings"


def test_the_longest_of_several_brokers_and_what_capture_toml_says_holds(scanned):
    manifest = "collect.sh\t1\nsetting\ttransaction.max.timeout.ms\t7200000\nsetting\tproducer.id.expiration.ms\t5\n"
    capture = scanned(
        broker_1__server_properties=PROPERTIES,
        broker_2__manifest_txt=manifest,
        capture_toml="[timeouts]\nproducer_id_expiration_ms = 6\n[settings]\n'min.insync.replicas' = 1\n",
    )
    assert capture.manifest.timeouts == {"transaction_max_timeout_ms": 7_200_000, "producer_id_expiration_ms": 6}
    assert capture.manifest.settings["capture.toml"] == {"min.insync.replicas": "1"}
    assert set(capture.manifest.settings) == {"broker.1/server.properties", "broker.2/manifest.txt", "capture.toml"}


def test_an_unknown_setting_in_capture_toml_is_refused(scanned):
    with pytest.raises(ConfigError, match=r"\[settings\] has \"password\""):
        scanned(capture_toml="[settings]\npassword = 'hunter2'\n")
