r"""Takes lines of the tools that describe a cluster: kafka-metadata-quorum, -features, -configs, rpk.

Feature: transaction.version  SupportedMinVersion: 0  SupportedMaxVersion: 2  FinalizedVersionLevel: 2  Epoch: 631
LeaderId:               2
NodeId  DirectoryId             LogEndOffset    Lag     LastFetchTimestamp      LastCaughtUpTimestamp   Status
Dynamic configs for topic orders are:
  min.insync.replicas=2 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:min.insync.replicas=2, ...}
"""

import re

from analyzer.parse.answers.told import Observation
from analyzer.parse.rows import within

_FEATURE = re.compile(r"\s*Feature:\s*(\S+)\s.*?FinalizedVersionLevel:\s*(\S+)(?:\s+Epoch:\s*(\d{1,19}))?.*")
_QUORUM = re.compile(r"(LeaderId|LeaderEpoch|HighWatermark|MaxFollowerLag|MaxFollowerLagTimeMs):\s+(-?\d{1,19})\s*")
_CLUSTER = re.compile(r"ClusterId:\s+([\w-]{1,249})\s*")
_QUORUM_LISTS = re.compile(r"(?:ClusterId|CurrentVoters|CurrentObservers):\s.*")
_REPLICA_HEADER = re.compile(r"NodeId\s+(?:DirectoryId\s+)?LogEndOffset\s+Lag\s.*")
_REPLICA = re.compile(
    r"(\d{1,10})\s+(?:[A-Za-z0-9_-]{22}\s+)?(\d{1,19})\s+(\d{1,19})\s.*(?:Leader|Follower|Observer)\s*"
)
_CONFIGS = re.compile(
    r"(?:Dynamic|All|Default|Quota) configs for "
    r"(?:(topic|broker|client-metric|group) (\S+)|brokers in the cluster|.*) are:?.*"
)
_SETTING = re.compile(r"\s+([A-Za-z0-9][A-Za-z0-9._-]*)=(.*?) sensitive=(?:true|false) synonyms=\{.*\}\s*")
_SECTION = re.compile(r"(CLUSTER|BROKERS|TOPICS)")
_IN_SECTION = {
    "CLUSTER": re.compile(r"=+|([\w.-]{1,249})"),
    "BROKERS": re.compile(r"=+|ID\s+HOST\s+PORT\b.*|\d{1,10}\*?\s+\S+\s+\d{1,5}\b.*"),
    "TOPICS": re.compile(r"=+|NAME\s+PARTITIONS\s+REPLICAS\s*|([\w.-]{1,249})\s+(\d{1,10})\s+\d{1,10}\s*"),
}
"""The parts that `rpk cluster info` prints, each under its name in capitals and a rule; an empty line ends one."""
_OBSERVED = {"LeaderId": "quorum_leader", "LeaderEpoch": "quorum_epoch", "HighWatermark": "quorum_high_watermark"}


class ClusterLines:
    """What the lines before tell: the topic or broker whose settings follow."""

    def __init__(self) -> None:
        """Begin outside any table."""
        self._about: tuple[str, str] | None = None
        self._section = ""
        """The part of `rpk cluster info` that the lines before began."""

    def take(self, text: str) -> Observation | bool:
        """Return what the line observes, True if it is known to observe nothing, False if it is not of these tools."""
        line = text.rstrip()
        if (told := self._told_by_rpk(line)) is not None:
            return told
        feature = _FEATURE.fullmatch(line)
        if feature:
            level = within(int(feature[2]), "bigint") if feature[2].isdigit() else None
            epoch = within(int(feature[3]), "bigint") if feature[3] else None
            return ("feature_level", None, None, feature[1], level, epoch, feature[2])
        if cluster := _CLUSTER.fullmatch(line):
            return ("cluster_id", None, None, None, None, None, cluster[1])
        quorum = _QUORUM.fullmatch(line)
        if quorum:
            observed = _OBSERVED.get(quorum[1])
            number = within(int(quorum[2]), "bigint")
            return (observed, None, None, None, number, None, None) if observed else True
        configs = _CONFIGS.fullmatch(line)
        if configs:
            self._about = (configs[1] or "broker", configs[2] or "")
            return True
        return self._setting(line) or self._replica(line)

    def _told_by_rpk(self, line: str) -> Observation | bool | None:
        """Take a line of `rpk cluster info`: the id of the cluster, or a topic and its count; None for any other."""
        if found := _SECTION.fullmatch(line):
            self._section = found[1]
            return True
        told = _IN_SECTION[self._section].fullmatch(line) if self._section else None
        if told is None:
            self._section = ""
            return None
        name = told[1] if told.re.groups else None
        if name is None:
            return True
        if self._section == "TOPICS":
            return ("partition_count", name, None, None, within(int(told[2]), "int"), None, line)
        self._section = ""
        return ("cluster_id", None, None, None, None, None, name)

    def _setting(self, line: str) -> Observation | None:
        setting = _SETTING.fullmatch(line) if self._about else None
        if setting is None or self._about is None:
            return None
        kind, name = self._about
        topic = name if kind == "topic" else None
        return ("setting", topic, None, setting[1], None, None, setting[2] if topic else f"{name}: {setting[2]}")

    def _replica(self, line: str) -> Observation | bool:
        replica = _REPLICA.fullmatch(line)
        if replica:
            end, lag = within(int(replica[2]), "bigint"), within(int(replica[3]), "bigint")
            return ("quorum_replica", None, None, replica[1], end, lag, None)
        return bool(_REPLICA_HEADER.fullmatch(line) or _QUORUM_LISTS.fullmatch(line))
