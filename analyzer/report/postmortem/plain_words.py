"""What each kind of finding means, for readers who do not know Kafka: no term of it stands in these sentences."""

from collections.abc import Mapping

BATCH = (
    "An application can write several messages to Kafka as one unit, a transaction: all of them count, or none. "
    "Readers that accept only finished transactions (isolation.level=read_committed) stop at the first unfinished one "
    "in a partition and get nothing that was written to that partition after it."
)
"""What a transaction is, and why an unfinished one holds up everybody."""

LATE = "Messages arrived after their transaction had already ended, and nothing will end it a second time."

PLAIN: Mapping[str, str] = {
    "TXN001": "A transaction has been open for longer than it may be, and the broker in charge of it has not ended it.",
    "TXN002": LATE,
    "TXN003": "Messages were written to a partition that their transaction does not list: its end never came there.",
    "TXN004": "A transaction was confirmed, and the note that says so is missing in a partition.",
    "TXN005": "A transaction was cancelled, and the note that says so is missing in a partition.",
    "TXN006": "The outcome of a transaction was decided, and has not reached all of its partitions.",
    "TXN007": "Kafka's clean-up removed the note that cancels messages before the messages: readers get them.",
    "TXN008": "When another server took over a partition, its newest entries were lost, and with them the end of a "
    "transaction.",
    "TXN009": "A server still counts a transaction as unfinished, although its messages are no longer there.",
    "TXN010": "One transaction was confirmed in one partition and not in another: it is no longer all or nothing.",
    "TXN011": "Messages of one transaction were confirmed or cancelled together with the next one of the application.",
    "TXN012": "The record of a transaction's states has a step that is not allowed.",
    "TXN013": "A transaction is unfinished, nothing will end it, and the files do not show why.",
    "TXN014": "The server in charge of an application forgot a transaction that was under way: nothing ends it.",
    "TXN015": "Messages of a confirmed transaction are missing from every copy in these files, or only one server "
    "still has them.",
    "GRP001": "Two instances of an application recorded the same reading position in turn: messages are "
    "processed twice or skipped.",
    "GRP002": "A reading position was recorded inside an unfinished transaction: the application cannot start from it.",
    "LOG001": "Two copies of a partition differ: one server has entries that the leading one never had.",
    "LOG002": "A part of a file is damaged.",
    "ORD001": "Messages of one key were read in the wrong order after a topic got more partitions.",
    "ORD002": "An application still places messages by the old number of partitions of a topic.",
    "ORD003": "A reader began with a new partition before it had read what was written to the old one.",
    "PID001": "Another application wrote under the identity of this one.",
    "PID002": "An application was shut out of a partition that it should be able to write to.",
    "PID003": "Messages of one application are missing, or another one wrote under its identity.",
    "PID004": "Two applications have the same identity: when one ends a transaction, it may end that of the other.",
    "RTE001": "The state of an application is stored where no server looks for it.",
    "RTE002": "Two servers were in charge of the same application at once.",
    "RTE003": "An internal table of Kafka was enlarged while in use: servers now look for the state of applications "
    "in the wrong place.",
    "RTE004": "The state of an unfinished transaction is where no server looks for it any more, so no server ends it.",
}
"""A sentence for each code."""
