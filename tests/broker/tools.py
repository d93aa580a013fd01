"""The option parsers of Kafka's own tools, called in a JVM: words in, the values that the tool would work with out."""

import atexit
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyspark
from kafka_jars import classpath
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway

TRANSACTIONS = "org.apache.kafka.tools.TransactionsCommand"
SUBCOMMANDS = (
    "AbortTransactionCommand", "DescribeProducersCommand", "DescribeTransactionsCommand", "FindHangingTransactionsCommand",
    "ForceTerminateTransactionsCommand", "ListTransactionsCommand",
)  # fmt: skip
OPTIONS = {
    "kafka-consumer-groups.sh": (
        "org.apache.kafka.tools.consumer.group.ConsumerGroupCommandOptions",
        "kafka.admin.ConsumerGroupCommand$ConsumerGroupCommandOptions",
    ),
    "kafka-console-consumer.sh": (
        "org.apache.kafka.tools.consumer.ConsoleConsumerOptions",
        "kafka.tools.ConsoleConsumer$ConsumerConfig",
    ),
    "kafka-topics.sh": (
        "org.apache.kafka.tools.TopicCommand$TopicCommandOptions",
        "kafka.admin.TopicCommand$TopicCommandOptions",
    ),
    "kafka-dump-log.sh": (
        "org.apache.kafka.tools.DumpLogSegments$DumpLogSegmentsOptions",
        "kafka.tools.DumpLogSegments$DumpLogSegmentsOptions",
    ),
}
"""The class that parses the options of a tool, the newer one first."""


class Tools:
    """The tools of one release."""

    def __init__(self, version: str) -> None:
        """Start a JVM with the release's jars."""
        (jar,) = (Path(pyspark.__file__).parent / "jars").glob("py4j-*.jar")
        port = launch_gateway(jarpath=str(jar), classpath=classpath(version), die_on_exit=True)
        self.gateway = JavaGateway(gateway_parameters=GatewayParameters(port=port))
        atexit.register(self.gateway.shutdown)

    def parse(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the options by name as the tool's parser has them; raises, or ends the JVM, for what it refuses."""
        if words[0] == "kafka-transactions.sh":
            parsed = self._transactions().parseArgs(self._strings(words[1:]))
            return dict(parsed.getAttrs())
        kind = self._class(OPTIONS[words[0]])
        make = kind.getDeclaredConstructor(self._array("java.lang.Class", [self._strings([]).getClass()]))
        make.setAccessible(True)
        told = make.newInstance(self._array("java.lang.Object", [self._strings(words[1:])]))
        if words[0] == "kafka-consumer-groups.sh":
            self._invoke(kind, told, "checkArgs")
        field = self._field(kind, "options")
        given = field.get(told).asMap()
        return {str(one.options()[-1]): [str(value) for value in given[one]] for one in given}

    def _transactions(self) -> Any:
        """Return the parser of kafka-transactions.sh with its subcommands, put together as the tool does."""
        kind = self._class((TRANSACTIONS,))
        parser = self._invoke(kind, None, "buildBaseParser")
        subparsers = parser.addSubparsers().dest("command")
        time = self._class(("org.apache.kafka.common.utils.Time",))
        for name in SUBCOMMANDS:
            try:
                command = self._class((f"{TRANSACTIONS}${name}",))
            except LookupError:
                continue
            make = command.getDeclaredConstructor(self._array("java.lang.Class", [time]))
            make.setAccessible(True)
            made = make.newInstance(self._array("java.lang.Object", [None]))
            add = command.getDeclaredMethod(
                "addSubparser",
                self._array("java.lang.Class", [self._class(("net.sourceforge.argparse4j.inf.Subparsers",))]),
            )
            add.setAccessible(True)
            add.invoke(made, self._array("java.lang.Object", [subparsers]))
        return parser

    def _class(self, names: Sequence[str]) -> Any:
        """Return the first of these classes that the release has. Raises LookupError for none."""
        for name in names:
            try:
                return self.gateway.jvm.java.lang.Class.forName(name)
            except Exception as fault:
                if "ClassNotFoundException" not in str(fault):
                    raise
        raise LookupError(names)

    def _invoke(self, kind: Any, target: Any, name: str) -> Any:
        """Call a method without parameters that need not be public."""
        method = kind.getDeclaredMethod(name, self._array("java.lang.Class", []))
        method.setAccessible(True)
        return method.invoke(target, self._array("java.lang.Object", []))

    def _field(self, kind: Any, name: str) -> Any:
        """Return a field of the class or of one above it."""
        while kind is not None:
            for field in kind.getDeclaredFields():
                if field.getName() == name:
                    field.setAccessible(True)
                    return field
            kind = kind.getSuperclass()
        raise LookupError(name)

    def _strings(self, words: Sequence[str]) -> Any:
        return self._array("java.lang.String", list(words))

    def _array(self, name: str, values: Sequence[Any]) -> Any:
        kind = self.gateway.jvm
        for part in name.split("."):
            kind = getattr(kind, part)
        array = self.gateway.new_array(kind, len(values))
        for index, value in enumerate(values):
            array[index] = value
        return array
