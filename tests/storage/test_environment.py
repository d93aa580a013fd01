"""What a machine may lack, provoked for real: no Java, an old one, no jars, a mirror, a JVM that dies."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.config import Config, SparkConfig
from analyzer.errors import EnvironmentFault
from analyzer.storage.doctor import doctor
from analyzer.storage.jvm.jars import coordinate, fetch_jars, find_jars
from analyzer.storage.jvm.java import ask_java, check_java, find_java

ROOT = Path(__file__).parent.parent.parent

SESSION = """
import sys
from analyzer.config import Config, SparkConfig
from analyzer.errors import EnvironmentFault
from analyzer.storage.faults import explain_fault
from analyzer.storage.jvm.launch import running_gateway
from analyzer.storage.session import build_session
from analyzer.storage.settings import Work
config = Config(spark=SparkConfig(engine="spark", master="local[1]", driver_memory="512m"))
try:
    spark, owned = build_session(config, Work.SMALL)
except EnvironmentFault as fault:
    print(fault.message())
    sys.exit(fault.exit_code)
"""


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the code in a fresh process with this environment over ours."""
    env = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False, timeout=120
    )


def fake_java(folder: Path, prints: str) -> Path:
    """A `java` that prints this and ends well."""
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho '{prints}' >&2\n", encoding="utf-8")
    java.chmod(0o755)
    return java


def test_no_java_at_all(tmp_path: Path) -> None:
    ran = run_python(SESSION, PATH=str(tmp_path), JAVA_HOME="")
    assert ran.stdout == (
        "error: Java 17 or newer is needed to run Spark, and no java was found "
        "(JAVA_HOME is not set, no java on PATH).\n"
        "do: apt-get install openjdk-17-jre-headless, or set JAVA_HOME; then txn-forensics doctor\n"
    )
    assert (ran.returncode, ran.stderr) == (2, "")


def test_a_java_home_without_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(EnvironmentFault, match="and no bin/java is there"):
        find_java()


def test_an_old_java_is_named_with_its_path(tmp_path: Path) -> None:
    java = fake_java(tmp_path, 'openjdk version "11.0.22" 2024-01-16')
    ran = run_python(SESSION, JAVA_HOME=str(tmp_path))
    assert ran.stdout.splitlines()[0] == f"error: java is version 11 ({java}); Spark 4 needs 17 or newer."
    assert (ran.returncode, ran.stderr) == (2, "")


@pytest.mark.parametrize(
    ("prints", "version"),
    [
        ('java version "1.8.0_402"', 8),
        ('openjdk version "21" 2023-09-19', 21),
        ('openjdk version "17.0.15" x', 17),
        ("no", 0),
    ],
)
def test_versions_as_javas_print_them(tmp_path: Path, prints: str, version: int) -> None:
    assert ask_java(str(fake_java(tmp_path, prints))).version == version


def test_a_java_that_says_nothing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_java(tmp_path, "")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(EnvironmentFault, match="does not say its version"):
        check_java()


def test_no_jars_and_nowhere_to_fetch_them(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    settings = ivy_settings(tmp_path, tmp_path / "empty")
    ran = run_python(SESSION, TXN_FORENSICS_CACHE=str(tmp_path / "cache"), TXN_FORENSICS_IVY_SETTINGS=str(settings))
    first, _, last = ran.stdout.splitlines()
    assert first.startswith(f"error: the Delta jars ({coordinate()}) are not in {tmp_path}/cache/jars/")
    assert "could not be fetched (module not found: io.delta#delta-spark" in first
    assert 'do: run "txn-forensics fetch-jars" once where there is network' in last
    assert "DEFAULT_ARTIFACT_REPOSITORY" in last
    assert (ran.returncode, ran.stderr) == (2, "")


def test_a_repository_that_does_not_answer(tmp_path: Path) -> None:
    ran = run_python(SESSION, TXN_FORENSICS_CACHE=str(tmp_path), DEFAULT_ARTIFACT_REPOSITORY="http://127.0.0.1:9/")
    assert "could not be fetched (ConnectException: Connection refused)." in ran.stdout.splitlines()[0]
    assert (ran.returncode, ran.stderr) == (2, "")


def test_an_ivysettings_file_that_is_missing_is_named(tmp_path: Path) -> None:
    ran = run_python(
        SESSION, TXN_FORENSICS_CACHE=str(tmp_path / "cache"), TXN_FORENSICS_IVY_SETTINGS=str(tmp_path / "absent.xml")
    )
    assert "absent.xml" in ran.stdout.splitlines()[0]
    assert (ran.returncode, ran.stderr) == (2, "")


@pytest.mark.parametrize("way", ["ivysettings", "DEFAULT_ARTIFACT_REPOSITORY"])
def test_the_jars_come_from_a_mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    mirror = build_mirror(tmp_path / "mirror")
    monkeypatch.setenv("TXN_FORENSICS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TXN_FORENSICS_JARS", raising=False)
    if way == "ivysettings":
        monkeypatch.setenv("TXN_FORENSICS_IVY_SETTINGS", str(ivy_settings(tmp_path, mirror)))
    else:
        monkeypatch.setenv(way, mirror.as_uri())
    told: list[str] = []
    jars = fetch_jars(Config(), told.append)
    assert (jars.origin, len(jars.files)) == ("fetched", 5)
    assert jars.bytes < 14_000_000
    assert told == [f"fetching the Delta jars once (13 MB) into {jars.folder}"]
    again = fetch_jars(Config(), told.append)
    assert (again.origin, again.files, len(told)) == ("cached", jars.files, 1)


def test_a_folder_of_jars_is_used_as_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = fetch_jars(Config())
    monkeypatch.setenv("TXN_FORENSICS_CACHE", str(tmp_path))
    monkeypatch.setenv("TXN_FORENSICS_JARS", str(here.folder))
    found = find_jars(Config())
    assert found is not None
    assert (found.origin, found.files) == ("given", here.files)


def test_a_folder_without_the_jars_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TXN_FORENSICS_JARS", str(tmp_path))
    with pytest.raises(EnvironmentFault, match="does not hold the Delta jars") as raised:
        find_jars(Config())
    assert coordinate() in raised.value.wanted
    assert "delta-kernel-unitycatalog" in raised.value.wanted


def test_a_jvm_that_is_killed_and_one_whose_heap_is_full() -> None:
    died = SESSION + "import os\n"
    died += "os.kill(running_gateway().proc.pid, 9)\n"
    died += "try: spark.range(3).count()\nexcept Exception as error: print(explain_fault(error, config).message())\n"
    ran = run_python(died)
    assert ran.stdout.startswith("error: Spark's Java process was killed (exit 137, usually out of memory; heap 512m,")
    assert "Traceback" not in ran.stderr
    full = SESSION + "try: spark.range(1).selectExpr('sequence(0, id + 400000000)').collect()\n"
    full += "except Exception as error: print(explain_fault(error, config).message())\n"
    ran = run_python(full)
    assert ran.stdout.startswith("error: Spark's Java process ran out of memory (heap 512m, machine ")
    assert "Traceback" not in ran.stderr


def test_a_session_says_nothing_on_stdout_or_stderr() -> None:
    ran = run_python(SESSION + "print(owned, spark.range(5).selectExpr('sum(id)').first()[0])\n")
    assert (ran.stdout, ran.stderr, ran.returncode) == ("True 10\n", "", 0)


def test_doctor_names_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TXN_FORENSICS_CACHE", str(tmp_path))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.delenv("TXN_FORENSICS_JARS", raising=False)
    checks = {check.name: check for check in doctor(Config(spark=SparkConfig(engine="spark")))}
    assert [name for name, check in checks.items() if not check.ok] == ["java", "jars", "delta table"]
    assert checks["jars"].do == "txn-forensics fetch-jars"
    assert checks["delta table"].found == "not tried"


def test_doctor_writes_and_reads_a_table(spark: object) -> None:
    checks = doctor(Config(spark=SparkConfig(engine="spark")))
    assert [(check.name, check.ok, check.do) for check in checks] == [
        (name, True, "") for name in ("python", "java", "pyspark", "delta-spark", "jars", "delta table")
    ]


def build_mirror(folder: Path) -> Path:
    """A Maven repository in a folder: the five jars we have, with POMs that name each other and one foreign jar."""
    version = coordinate().rsplit(":", 1)[1]
    names = [path.name.removeprefix("io.delta_").removesuffix(f"-{version}.jar") for path in fetch_jars(Config()).files]
    root = coordinate().split(":")[1]
    for source, name in zip(fetch_jars(Config()).files, names, strict=True):
        place = folder / "io" / "delta" / name / version
        place.mkdir(parents=True)
        (place / f"{name}-{version}.jar").write_bytes(source.read_bytes())
        wants = [("io.delta", other) for other in names if name == root and other != root]
        wants += [("org.example", "not-wanted")]
        body = "".join(
            f"<dependency><groupId>{group}</groupId><artifactId>{other}</artifactId><version>{version}</version></dependency>"
            for group, other in wants
        )
        (place / f"{name}-{version}.pom").write_text(
            f"<project><modelVersion>4.0.0</modelVersion><groupId>io.delta</groupId><artifactId>{name}</artifactId>"
            f"<version>{version}</version><dependencies>{body}</dependencies></project>",
            encoding="utf-8",
        )
    return folder


def ivy_settings(folder: Path, mirror: Path) -> Path:
    """An ivysettings.xml whose only source is a Maven repository in a folder."""
    path = folder / "ivysettings.xml"
    path.write_text(
        '<ivysettings><settings defaultResolver="mirror"/><resolvers>'
        f'<ibiblio name="mirror" m2compatible="true" root="{mirror.as_uri()}"/></resolvers></ivysettings>',
        encoding="utf-8",
    )
    return path
