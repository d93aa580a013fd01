"""The stages of what a report draws around findings: `finding_places`, `dated_findings` and `stuck_logs` are given."""

from analyzer.lifecycles.pictures import around
from analyzer.lifecycles.pictures.growth import growth, id_places
from analyzer.lifecycles.stage import Kept, Stage, of_others

OF_PRODUCERS = ("dated_findings", "producer_id")
OF_IDS = ("dated_findings", "transactional_id")


STAGES = (
    Stage("neighbours", around.neighbours, ("finding_places",), ("log_batches",), kept=Kept.PLAN),
    Stage(
        "dated_targets", around.dated, ("dated_findings",), ("partition_txns",),
        narrowed={"partition_txns": OF_PRODUCERS},
    ),
    Stage("bars", around.bars, ("dated_targets",), ("partition_txns",), kept=Kept.PLAN),
    Stage(
        "bars_elsewhere", around.bars_elsewhere, ("dated_targets",), ("partition_txns", "registrations"),
        kept=Kept.PLAN, narrowed={"partition_txns": OF_PRODUCERS, "registrations": OF_IDS},
    ),
    Stage(
        "states_around", around.states, ("dated_targets",), ("coordinator_records",), kept=Kept.PLAN,
        narrowed={"coordinator_records": OF_IDS},
    ),
    Stage("epoch_starts", around.epoch_starts, ("dated_targets",), ("leader_epochs",), kept=Kept.PLAN),
    Stage("growth", growth, ("stuck_logs",), ("log_batches", "partition_txns", "logs"), kept=Kept.PLAN),
    Stage("id_places", of_others(id_places, 2), ("misplaced", "cutovers"), ("routing",), kept=Kept.PLAN),
)  # fmt: skip
