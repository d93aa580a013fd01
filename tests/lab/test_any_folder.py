"""A log dir says the same whatever its folder is called, also without the meta.properties that names its broker.

So do its files without their folders, whose names then have what the folders were called, as mail and trackers have them.
"""

import gzip
import shutil
from pathlib import Path

import pytest
from judging import judged

SAID = ("name", "topic", "partition", "producer_id", "confidence", "severity")
MOMENTS = ("S5_kafka13727_1_before", "S5_kafka13727_3_after_pass2")
"""One log before its cleaner removed a marker, and afterwards."""
FLAT = ("late_write", "S8_marker_lost")
"""Log dirs whose files are put into one folder: of one broker, and of three."""


@pytest.fixture(scope="module")
def documents(scenarios, spark, tmp_path_factory):
    place = tmp_path_factory.mktemp("named")
    paths = {"later first": place / "later-first", "later last": place / "later-last"}
    for name, scenario in scenarios.items():
        paths[name] = place / name
        shutil.copytree(scenario.dumps, paths[name], ignore=shutil.ignore_patterns("meta.properties"))
        for folder in list(paths[name].glob("broker-*")):
            folder.rename(paths[name] / folder.name.replace("broker-", "host-x"))
    for before, after in zip(MOMENTS, reversed(MOMENTS), strict=True):
        shutil.copytree(paths[before] / "host-x0", paths["later last"] / f"copy-{MOMENTS.index(before)}")
        shutil.copytree(paths[after] / "host-x0", paths["later first"] / f"copy-{MOMENTS.index(before)}")
    return judged(spark, paths, place)


def said(document):
    return sorted(str([one.get(name) for name in SAID]) for one in document["findings"])


def test_each_capture_says_the_same(documents, scenarios):
    for name, scenario in scenarios.items():
        assert documents[name]["verdict"] == scenario.document["verdict"], name
        assert said(documents[name]) == said(scenario.document), name


def test_two_moments_of_one_broker_are_never_clean_of_what_the_cleaner_removed(documents, scenarios):
    """Nothing tells which is the newer: the one that is judged is the first by its name."""
    (finding,) = documents["later first"]["findings"]
    (alone,) = scenarios[MOMENTS[1]].document["findings"]
    assert (finding["name"], finding["confidence"]) == (alone["name"], "certain") == ("marker_cleaned_away", "certain")
    assert documents["later last"]["verdict"] == "inconclusive"


@pytest.mark.parametrize("between", ["_", "."])
def test_files_without_their_folders_say_the_same(lab, spark, tmp_path, between):
    paths = {name: tmp_path / name for scenario in FLAT for name in (scenario, f"flat {scenario}")}
    for name in FLAT:
        log_dir = lab / "dev" / name / "logdir"
        for file in sorted(one for one in log_dir.rglob("*") if one.is_file() and one.name != "meta.properties"):
            parts = file.relative_to(log_dir).parts
            for copy in (Path(*parts), Path(f"../flat {name}", between.join(parts))):
                (paths[name] / copy).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, paths[name] / copy)
    documents = judged(spark, paths, tmp_path)
    for name in FLAT:
        assert documents[name]["partitions"], name
        assert said(documents[f"flat {name}"]) == said(documents[name]), name
        assert documents[f"flat {name}"]["verdict"] == documents[name]["verdict"], name
    assert all(said(documents[name]) for name in FLAT)


def test_files_that_are_packed_one_by_one_say_the_same(lab, spark, tmp_path):
    log_dir = lab / "dev" / FLAT[1] / "logdir"
    for file in sorted(one for one in log_dir.rglob("*") if one.is_file() and one.name != "capture.toml"):
        packed = tmp_path / "packed" / file.relative_to(log_dir).with_name(f"{file.name}.gz")
        packed.parent.mkdir(parents=True, exist_ok=True)
        packed.write_bytes(gzip.compress(file.read_bytes()))
    documents = judged(spark, {"packed": tmp_path / "packed", "plain": log_dir}, tmp_path)
    assert said(documents["packed"]) == said(documents["plain"]) != []
    assert documents["packed"]["coverage"]["notes"] == documents["plain"]["coverage"]["notes"]
