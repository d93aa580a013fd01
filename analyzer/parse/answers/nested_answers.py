r"""Lays flat what kafka-python and Redpanda's Admin API answer about transactions: objects in objects.

{"orders:3": {"active_producers": [{"producer_id": 2000, "current_transaction_start_offset": 87, ...}]}}
{"pay-1": {"coordinator_id": 1, "state": "Ongoing", ..., "topic_partitions": [{"topic": "orders", "partition": 3}]}}
{"1": [{"transactional_id": "pay-1", "producer_id": 2000, "state": "Ongoing"}]}
                                                                            (`python -m kafka.admin transactions`)
[{"transactional_id": "pay-1", "pid": {"id": 2000, "epoch": 5}, "status": "ongoing", "timeout_ms": 60000,
  "partitions": [{"ns": "kafka", "topic": "orders", "partition_id": 3}], "groups": []}]            (/v1/transactions)
{"active_transactions": [{"producer_id": {"id": 2000, "epoch": 5}, "lso_bound": 87, ...}], "expired_transactions": []}
                                                              (/v1/partitions/kafka/orders/3/transactions)

`find-hanging` of kafka-python asks coordinators alone, for what they have run for long: it names nothing that hangs.
Sources: `kafka/cli/admin/transactions` of kafka-python 3; `transaction.json`, `partition.json` and
`tx_metadata::get_kafka_status` of Redpanda 22.1 to 25.1.
"""

from typing import Any

from analyzer.parse.answers.objects import listed

Flat = list[dict[str, Any]]
_STATES = {
    "ongoing": "Ongoing", "empty": "Empty", "ready": "Empty", "tombstone": "Dead", "expired": "PrepareEpochFence",
    "preparing_commit": "PrepareCommit", "preparing": "PrepareCommit", "prepared": "PrepareCommit",
    "preparing_abort": "PrepareAbort", "aborting": "PrepareAbort", "killed": "PrepareAbort",
    "completed_commit": "CompleteCommit", "completed_abort": "CompleteAbort",
}  # fmt: skip
"""Redpanda's words for states, and Kafka's; until 24.1 `prepared` was decided, with commits not yet carried out."""


def flat_answers(value: object) -> Flat:
    """Return the rows of one table that a value holds, with names as tools print them; none for another value."""
    if isinstance(value, list):
        rows = listed(value)
        return [_of_redpanda(one) for one in rows] if rows and all(map(_is_redpandas, rows)) else []
    if not isinstance(value, dict) or not value:
        return []
    if _is_redpandas(value):
        return [_of_redpanda(value)]
    if "active_transactions" in value or "expired_transactions" in value:
        return _opened(value)
    if all(isinstance(one, dict) and "active_producers" in one for one in value.values()):
        return [{"topic": name.rpartition(":")[0], "partition": name.rpartition(":")[2]} | one
                for name, state in value.items() for one in listed(state["active_producers"])]  # fmt: skip
    if all(isinstance(one, dict) and {"producer_id", "state"} <= one.keys() for one in value.values()):
        return [{"transactional_id": name} | one for name, one in value.items()]
    rows = [{"coordinator_id": name} | one for name, each in value.items() for one in listed(each)]
    return rows if rows and all({"transactional_id", "producer_id", "state"} <= one.keys() for one in rows) else []


def _is_redpandas(value: dict[str, Any]) -> bool:
    return {"transactional_id", "pid", "status"} <= value.keys() and isinstance(value["pid"], dict)


def _of_redpanda(value: dict[str, Any]) -> dict[str, Any]:
    """Return what a coordinator answered; partitions of offset commits it tells by their group alone, so not all."""
    parts, groups = listed(value.get("partitions")), listed(value.get("groups"))
    status = str(value["status"])
    state = "Empty" if status == "ongoing" and not (parts or groups) else _STATES.get(status, status)
    row = {"transactional_id": value["transactional_id"], "state": state, "timeout_ms": value.get("timeout_ms")}
    row |= {"producer_id": value["pid"].get("id"), "producer_epoch": value["pid"].get("epoch")}
    if groups or any(one.get("ns") != "kafka" for one in parts):
        return row
    named = [{"topic": one.get("topic"), "partition": one.get("partition_id")} for one in parts]
    return row | {"topic_partitions": named}


def _opened(value: dict[str, Any]) -> Flat:
    """Return what a leader has open, of a partition that only the address names which was asked."""
    rows = [*listed(value.get("active_transactions")), *listed(value.get("expired_transactions"))]
    return [
        {"producer_id": pid.get("id"), "producer_epoch": pid.get("epoch"), "start_offset": one.get("lso_bound")}
        for one in rows if isinstance(pid := one.get("producer_id"), dict)
    ]  # fmt: skip
