"""Names of captures that are scanned together."""

from pathlib import Path

from analyzer.scan.capture import other_name


def test_another_name_takes_as_few_of_the_folders_above_as_it_needs():
    path = "/incident/host1/kafka/data/logs"
    assert other_name(path, None, {"data/logs"}) == "kafka/data/logs"
    assert other_name(path, None, {"data/logs", "kafka/data/logs"}) == "host1/kafka/data/logs"


def test_another_name_keeps_its_moment():
    moment = 1_795_253_168_415
    assert other_name("/a/b/c", moment, {"c@2026-11-21T09:26:08.415Z"}) == "a/b/c@2026-11-21T09:26:08.415Z"


def test_the_same_folder_again_is_numbered():
    taken: list[str] = []
    for _ in range(6):
        taken.append(other_name(str(Path("/one/two/three/four")), None, taken))
    assert taken == ["two/three/four", "one/two/three/four", "four#2", "four#3", "four#4", "four#5"]
