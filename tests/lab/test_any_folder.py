"""A log dir says the same whatever its folder is called, also without the meta.properties that names its broker.

So do its files without their folders, whose names then have what the folders were called, as mail and trackers have
them, and files that were packed one by one.
"""

import gzip
import shutil
from pathlib import Path

import pytest
from judged_together import judged_together

SAID = ("name", "topic", "partition", "producer_id", "confidence", "severity")
MOMENTS = ("S5_kafka13727_1_before", "S5_kafka13727_3_after_pass2")
"""One log before its cleaner removed a marker, and afterwards."""
OTHERWISE = ("late_write", "S8_marker_lost")
"""Log dirs that come in other forms: of one broker, and of three."""
FORMS = ("plain", "flat, _", "flat, .", "packed")
EACH = 3
"""Of the scenarios every third is judged, all of them with --soak."""


@judged_together
def documents(lab, root, soak):
    paths = {"later first": root / "later-first", "later last": root / "later-last"}
    for number, dumps in enumerate(sorted((lab / "dev").glob("*/dumps"))):
        name = dumps.parent.name
        if number % EACH and name not in MOMENTS and not soak:
            continue
        paths[name] = root / name
        shutil.copytree(dumps, paths[name], ignore=shutil.ignore_patterns("meta.properties"))
        for folder in list(paths[name].glob("broker-*")):
            folder.rename(paths[name] / folder.name.replace("broker-", "host-x"))
    for before, after in zip(MOMENTS, reversed(MOMENTS), strict=True):
        shutil.copytree(paths[before] / "host-x0", paths["later last"] / f"copy-{MOMENTS.index(before)}")
        shutil.copytree(paths[after] / "host-x0", paths["later first"] / f"copy-{MOMENTS.index(before)}")
    for name in OTHERWISE:
        paths |= _in_other_forms(lab / "dev" / name / "logdir", root)
    return paths


def said(document):
    return sorted(str([one.get(name) for name in SAID]) for one in document["findings"])


def test_each_capture_says_the_same(documents, scenarios):
    judged = {name: scenario for name, scenario in scenarios.items() if name in documents}
    assert len(judged) >= len(scenarios) // EACH
    for name, scenario in judged.items():
        assert documents[name]["verdict"] == scenario.document["verdict"], name
        assert said(documents[name]) == said(scenario.document), name


def test_two_moments_of_one_broker_are_never_clean_of_what_the_cleaner_removed(documents, scenarios):
    """Nothing tells which is the newer: the one that is judged is the first by its name."""
    (finding,) = documents["later first"]["findings"]
    (alone,) = scenarios[MOMENTS[1]].document["findings"]
    assert (finding["name"], finding["confidence"]) == (alone["name"], "certain") == ("marker_cleaned_away", "certain")
    assert documents["later last"]["verdict"] == "inconclusive"


def _in_other_forms(log_dir, root):
    """Return copies of a log dir without meta.properties: as it is, in one folder, and each file packed by itself."""
    name = log_dir.parent.name
    paths = {form: root / f"{form} {name}" for form in FORMS}
    for file in sorted(one for one in log_dir.rglob("*") if one.is_file() and one.name != "meta.properties"):
        parts = file.relative_to(log_dir).parts
        plain = file.read_bytes()
        copies = {"plain": Path(*parts), "flat, _": Path("_".join(parts)), "flat, .": Path(".".join(parts))}
        if file.name != "capture.toml":
            copies["packed"] = Path(*parts).with_name(f"{file.name}.gz")
        for form, copy in copies.items():
            (paths[form] / copy).parent.mkdir(parents=True, exist_ok=True)
            (paths[form] / copy).write_bytes(gzip.compress(plain) if form == "packed" else plain)
    return {path.name: path for path in paths.values()}


@pytest.mark.parametrize("form", FORMS[1:])
@pytest.mark.parametrize("name", OTHERWISE)
def test_files_without_their_folders_or_packed_say_the_same(documents, form, name):
    plain, other = documents[f"plain {name}"], documents[f"{form} {name}"]
    assert said(other) == said(plain) != []
    assert other["verdict"] == plain["verdict"]
