"""A log dir says the same whatever its folder is called, also without the meta.properties that names its broker."""

import shutil

from judged_together import judged_together

SAID = ("name", "topic", "partition", "producer_id", "confidence", "severity")
MOMENTS = ("S5_kafka13727_1_before", "S5_kafka13727_3_after_pass2")
"""One log before its cleaner removed a marker, and afterwards."""


@judged_together
def documents(lab, root):
    paths = {"later first": root / "later-first", "later last": root / "later-last"}
    for dumps in sorted((lab / "dev").glob("*/dumps")):
        name = dumps.parent.name
        paths[name] = root / name
        shutil.copytree(dumps, paths[name], ignore=shutil.ignore_patterns("meta.properties"))
        for folder in list(paths[name].glob("broker-*")):
            folder.rename(paths[name] / folder.name.replace("broker-", "host-x"))
    for before, after in zip(MOMENTS, reversed(MOMENTS), strict=True):
        shutil.copytree(paths[before] / "host-x0", paths["later last"] / f"copy-{MOMENTS.index(before)}")
        shutil.copytree(paths[after] / "host-x0", paths["later first"] / f"copy-{MOMENTS.index(before)}")
    return paths


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
