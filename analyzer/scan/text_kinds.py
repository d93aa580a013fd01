"""What shows in the first bytes of a text of which kind it is, in the order in which kinds are tried."""

import re

from analyzer.kafka.log_lines.heads import CLIENT_HEAD, LIBRDKAFKA_HEAD, LOG_DIRS, REDPANDA_HEAD
from analyzer.kafka.pasting.value_heads import JSON_SAYS, PYTHON_SAYS, YAML_SAYS

TEXT_KINDS: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    (
        "dump",
        re.compile(
            rb"^(Dumping \S|(baseO|o)ffset: -?\d+ (lastOffset|position|CreateTime|LogAppendTime|NoTimestampType)"
            rb"|\| (offset: -?\d+|key: |payload: )|producerId: -?\d+ producerEpoch: |version: \d+ producerId: "
            rb"|(Log s|S)tarting offset: \d+|(offset|timestamp): \d+ (position|offset): \d+)",
            re.MULTILINE,
        ),
    ),
    (
        "admin",
        re.compile(
            rb"^[ \t]*+(Transactiona[lI1][Il1]d\s+Coordinator|Coordinator[Il1]d\s+Transactiona[lI1][Il1]d"
            rb"|Producer[Il1]d\s+ProducerEpoch\s+LatestCoord|Topic\s+Partition\s+Producer[Il1]d"
            rb"|Topic:\s*\S+\s.*PartitionCount|Topic:\s*\S+\s+Partition:\s*\d"
            rb"|Group\s+Topic\s+Pid\s+Offset\s+logSize|(GROUP\s+)?TOPIC\s+PARTITION\s+((NEW|CURRENT|START)-OFFSET|LEADER-EPOCH|OFFSET-LAG)"
            rb"|GROUP\s+(COORDINATOR \(ID\)|CONSUMER-ID|MEMBER\s+PROCESS|TARGET-ASSIGNMENT-EPOCH\s+TOPOLOGY)\s"
            rb"|(COORDINATOR|BROKER)\s+TRANSACTIONAL-ID|TRANSACTIONAL-ID\s+STATE\s+PRODUCER-ID"
            rb"|(LEADER\s+)?TOPIC\s+PARTITION\s+(PRODUCER-ID|ERROR\s+ID)\s|Found partition \d+ stuck at offset \d"
            rb"|Could not find any open transactions starting at offset \d"
            rb"|BROKER\s+TOPIC\s+PARTITION\s+START\s+STABLE\s+END|PARTITION\s+LEADER\s+EPOCH\s+REPLICAS"
            rb"|.{0,300}(kafka-get-offsets|GetOffsetShell)\b(.{0,300}\\\n){0,9}.*\n"
            rb"[\w.-]{1,249}:\d{1,10}:\d{1,19}[ \t]*$"
            rb"|\d{1,6} topics:\n[ \t]*topic \"[\w.-]{1,249}\" with \d{1,10} partitions:"
            rb"|(?i:(?=.*\bproducer[ _-]?[il1]d\b)(?=.*(?:start[ _-]?offset|state)\b)"
            rb"[\w \t().\xe2\x80\xa6-]{20,400}$)"
            rb"|.{0,300}\bkafka-transactions(\.sh|\.bat)? .{0,300}\| ?\w.{0,200}\n([\w.,-]+[ \t]+){3,}[\w.,-]+[ \t]*$"
            rb"|Feature:\s*\S+\s+SupportedMinVersion|LeaderEpoch:\s+\d|NodeId\s+(DirectoryId\s+)?LogEndOffset"
            rb"|PARTITION\s+OLDEST_OFFSET\s+NEWEST_OFFSET|TOPIC\s+PARTITION\s+NEWEST_OFFSET\s+OLDEST_OFFSET"
            rb"|[|\xe2\x94\x82]?[ \t]*Cluster\s*[|\xe2][^\n]{0,9}"
            rb"(Consumer Group\s*[|\xe2].*Log End Offset"
            rb"|Topic( Name)?\s*[|\xe2].*Partition)"
            rb"|\|\s*(Max Lag Partition|Log End Offset)\s*\|\s*\d"
            rb"|Kafka Consumer: \S|Partition\tFirst[\s]|Partition\s{2,}First Offset\s"
            rb"|TOPIC\s+PARTITION\s+LEADER\s+REPLICAS\s+IN-SYNC\s|[\w.-]{1,249} \[\d{1,9}\] offset \d{1,19}$"
            rb"|% Reached end of topic \S"
            rb"|(Dynamic|All) configs for (topic|broker) |Default configs for brokers in the cluster)"
            + rf"|{JSON_SAYS}|{YAML_SAYS}|{PYTHON_SAYS}".encode(),
            re.MULTILINE,
        ),
    ),
    (
        "console",
        re.compile(
            rb'(^|\})\{\s*"key":\s*(null|\{\s*"(type|version)":)|^.*\S::TransactionMetadata\(|^\S.*::NULL$'
            rb"|^\[[^\]\n]*\]::(OffsetAndMetadata|\[OffsetMetadata|NULL)|^TxnMetadataKey\(\d{1,5}\) "
            rb"|^(?!.{0,300}\boffset: ).{0,300}\btransactionalId=.{1,300} payload: "
            rb"(producerId:-?\d+,producerEpoch:|<DELETE>$)",
            re.MULTILINE,
        ),
    ),
    (
        "broker_log",
        re.compile(
            rb"^.{0,200}?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S{0,16}.{0,80}?\b(TRACE|DEBUG|INFO|WARN(ING)?|ERROR|FATAL)\b"
            + rf"|^.{{0,200}}?{REDPANDA_HEAD}|^.{{0,200}}?{LIBRDKAFKA_HEAD}[A-Z]+\||^.{{0,200}}?{CLIENT_HEAD}".encode()
            + rb"|\[thrd:[\w./:\[\]-]{1,120}\]: "
            rb"|^\{.{0,200}\"client_id\":.*\"topics\":|^\{.*\"(message|msg|log|textPayload|line)\":\s?\""
            rb"|(?i:^(\S*_)?(last_?stable_?offset_?lag|partitions_?with_?late_?transactions_?count)\S*[ {])"
            rb"|(?i:^kafka_\w*_value\{[^}\n]*\"(LastStableOffsetLag|PartitionsWithLateTransactionsCount)\")"
            rb"|Transaction topic number of partitions has changed from \d"
            rb"|kafka\.(server|cluster):[^\s\"]{0,300}name=(LastStableOffsetLag|PartitionsWithLateTransactionsCount)\b"
            rb"|^\"time\",.{0,600}kafka\.controller:[^\s\"]{0,300}name=UncleanLeaderElectionsPerSec:Count\b"
            rb"|\"currentTransactionStartOffset\":\s?(-?\d|null)|^[ \t]*+(\{\s{0,20}\"_[^{}\[\]]{0,200}:\s{0,20})?"
            rb"\[?\s{0,20}\{[^{}\[\]]{0,400}?"
            rb"\"producer_?[iI]d\":\s?\d[^{}\[\]]{0,400}?\"(state|(transaction|txn)_start_offset)\":"
            rb"|\"resultType\":\s?\"(vector|matrix|streams)\""
            rb"|(?i:^\"?time\"?[,;].{0,2000}(\btopic(_name)?=\"\"|last_?stable_?offset_?lag|late_?transactions_?count))"
            rb"|\"last_stable_offset\":\s?\d{1,19},\s*\"high_watermark\""
            rb"|TransactionListing\(transactionalId='|TransactionDescription\(coordinatorId=|ProducerState\(producerId="
            rb"|^\s{0,40}\**\"(client_id|hi_offset|ls_offset|txn_state)\":\s?[\"\d]"
            rb"|^(# (HELP|TYPE) )?(kafka|kminion|redpanda|vectorized)_[a-z]\w*([ {]|$)"
            + rf"|{LOG_DIRS}".encode()
            + rb"|^(Error: )?Consumer group '"
            rb"|Error: Executing consumer group command failed"
            rb"|Failed to describe (transaction state of|producers for) "
            rb"|\bTopicPartition(\(topic='[\w.-]{1,249}', partition=\d{1,10}\): |\{topic=[\w.-]{1,249},partition=\d)"
            rb"|\"originating_broker\":|\"tstype\":\s?\"(create|logappend|unknown)\"|\"consumer status returned\"",
            re.MULTILINE,
        ),
    ),
    (
        "stderr",
        re.compile(
            rb"^(Exception in thread|Mismatches in ?:|Non-(con)?secutive offsets in|Found (out of order )?timestamp"
            rb"|The following indexed offsets|Ignoring unknown file|Snapshot is corrupt"
            rb"|[ \t]+at (org\.apache\.)?kafka\.tools\.)",
            re.MULTILINE,
        ),
    ),
    (
        "broker_log",
        re.compile(rb"^([ \t]+at [\w.$]+\(|Caused by: |([a-z_]\w*\.)+[A-Z][\w$]*(Exception|Error)(:|$))", re.MULTILINE),
    ),
)
