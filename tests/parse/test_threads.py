"""Printed threads of a client: what one waits in is told, what the trace of an error names is not."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_real_pastes import read, said

CALL = "\tat org.apache.kafka.clients.producer.KafkaProducer.{}(KafkaProducer.java:628)\n"
AWAIT = (
    "\tat org.apache.kafka.clients.producer.internals.TransactionalRequestResult.await"
    "(TransactionalRequestResult.java:56)\n"
)
THREAD = (
    '"main" #1 prio=5 os_prio=0 cpu=4521.34ms elapsed=182.31s tid=0x7f1c3c017000 nid=0x7 waiting on condition\n'
    "   java.lang.Thread.State: TIMED_WAITING (parking)\n"
    "\tat jdk.internal.misc.Unsafe.park(java.base@17.0.9/Native Method)\n"
    "\t- parking to wait for  <0x00000000e1b2c3d8> (a java.util.concurrent.CountDownLatch$Sync)\n"
)
ERROR = "2026-11-28 03:12:44,120 ERROR [main] c.e.Orders - failed\njava.lang.IllegalStateException: no\n"


@pytest.mark.parametrize("call", ["initTransactions", "commitTransaction", "abortTransaction"])
def test_a_thread_that_waits_in_a_call(tmp_path, call):
    facts = read(tmp_path, THREAD + AWAIT + CALL.format(call))[1]
    assert said(facts) == ["client_blocked"]
    assert call in facts["log_lines"][0]["text"]


def test_a_class_that_another_program_has_renamed(tmp_path):
    shaded = CALL.format("commitTransaction").replace("org.apache", "org.apache.flink.kafka.shaded.org.apache")
    assert said(read(tmp_path, THREAD + shaded)[1]) == ["client_blocked"]


@pytest.mark.parametrize(
    "text",
    [
        ERROR + AWAIT + CALL.format("commitTransaction"),
        THREAD + "\n" + ERROR + AWAIT + CALL.format("commitTransaction"),
        THREAD + ERROR + CALL.format("commitTransaction"),
        THREAD + CALL.format("send"),
    ],
)
def test_what_an_error_has_ended_and_what_does_not_wait_say_nothing(tmp_path, text):
    assert said(read(tmp_path, text)[1]) == []
