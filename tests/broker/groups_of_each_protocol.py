"""Groups of each protocol from a real broker: who commits in turn and who waits, read from its own log dir.

usage: python tests/broker/groups_of_each_protocol.py [--kafka 4.3.0]

A broker on loopback serves a classic group, a consumer group (KIP-848) and a share group that reads committed data
(KIP-932). In the first two, two producers commit one position in turn; at the end a transaction is left open in the
topic that all of them read. What the program says of the log dir is compared with that.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from kafka_jars import classpath, write_scripts
from real_cluster import Broker

PROGRAM = Path(__file__).with_name("Groups.java")
IN_TURN = ("classic-g", "consumer-g")
MORE = {
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "offsets.topic.num.partitions": "3",
    "transaction.state.log.num.partitions": "3",
}


def main() -> None:
    """Run the clients, stop the broker, judge its log dir."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kafka", default="4.3.0", help="release of the broker and its clients, 4.2 or newer")
    release = parser.parse_args().kafka
    with tempfile.TemporaryDirectory() as folder:
        write_scripts(release, Path(folder) / "bin")
        broker = Broker(Path(folder) / "broker", Path(folder) / "bin", MORE)
        with broker.running():
            subprocess.run(["java", "-cp", classpath(release), PROGRAM, broker.address], check=True, timeout=300)
        command = [sys.executable, "-m", "analyzer", "run", str(broker.logs), "--format", "json", "--engine", "sail"]
        judged = subprocess.run(command, check=False, capture_output=True, text=True)
        compare(json.loads(judged.stdout))


def compare(document: dict) -> None:
    """Raise AssertionError where the document is not what the clients did."""
    found = sorted(finding["group"] for finding in document["findings"] if finding["code"] == "GRP001")
    assert found == sorted(IN_TURN), found
    waiting = sorted({row["group"] for row in document["group_impact"] or [] if row["topic"] == "clicks"})
    assert waiting == sorted(IN_TURN), waiting
    (opened,) = [row for row in document["open_transactions"] if row["topic"] == "clicks"]
    assert (opened["transactional_id"], opened["verdict"]) == ("open-1", "in_flight"), opened
    assert document["unparsed"]["lines"] == 0
    sys.stdout.write(f"in turn: {', '.join(found)}; waiting at {opened['first_offset']}: {', '.join(waiting)}\n")


if __name__ == "__main__":
    main()
