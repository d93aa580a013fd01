"""The stages of what a report draws around findings: `finding_places`, `dated_findings` and `stuck_logs` are given."""

from analyzer.lifecycles.pictures import around
from analyzer.lifecycles.pictures.growth import growth, id_places
from analyzer.stages.stage import Stage, of_others, planned

OF_PRODUCERS = ("dated_findings", "producer_id")
OF_IDS = ("dated_findings", "transactional_id")


STAGES = (
    planned("neighbours", around.neighbours, ("finding_places",), ("log_batches",)),
    Stage(
        "dated_targets", around.dated, ("dated_findings",), ("partition_txns",),
        narrowed={"partition_txns": OF_PRODUCERS},
    ),
    planned("bars", around.bars, ("dated_targets",), ("partition_txns",)),
    planned(
        "bars_elsewhere", around.bars_elsewhere, ("dated_targets",), ("partition_txns", "registrations"),
        narrowed={"partition_txns": OF_PRODUCERS, "registrations": OF_IDS},
    ),
    planned(
        "states_around", around.states, ("dated_targets",), ("coordinator_records",),
        narrowed={"coordinator_records": OF_IDS},
    ),
    planned("epoch_starts", around.epoch_starts, ("dated_targets",), ("leader_epochs",)),
    planned("growth", growth, ("stuck_logs",), ("log_batches", "partition_txns", "logs")),
    planned("id_places", of_others(id_places, 2), ("misplaced", "cutovers"), ("routing",)),
)  # fmt: skip
