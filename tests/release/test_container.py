"""The Containerfile: what a parser reads in it, and what its images do that are built from it: `make container-test`."""

import io
import json
import shutil
from fnmatch import fnmatch
from pathlib import Path

import images
import pytest
from built import ROOT, built, transcript_lines
from dockerfile_parse import DockerfileParser

MADE = ("sail", "spark")


def stages() -> dict[str, list[tuple[str, str]]]:
    """The instructions of each stage, by its name, those of the stage that it begins from first."""
    found: dict[str, list[tuple[str, str]]] = {}
    for one in DockerfileParser(fileobj=io.BytesIO(images.RECIPE.read_bytes())).structure:
        if one["instruction"] == "FROM":
            base, _, name = one["value"].split()
            found[name] = [*found.get(base, [("FROM", base)])]
        elif one["instruction"] != "COMMENT":
            found[name].append((one["instruction"], one["value"]))
    return found


@pytest.mark.parametrize("stage", MADE)
def test_a_stage_begins_from_the_slim_base_and_ends_as_a_user_without_rights(stage: str) -> None:
    steps = stages()[stage]
    assert [value for step, value in steps if step == "FROM"] == [images.BASE]
    assert [value for step, value in steps if step == "USER"] == ["forensics"]
    assert [step for step, _ in steps if step in {"CMD", "ENTRYPOINT"}] == ["ENTRYPOINT"]
    assert json.loads(steps[-1][1]) == ["txn-forensics"]


def test_the_default_is_without_a_jvm_and_only_the_wheel_is_copied() -> None:
    assert list(stages())[-1] == "sail"
    assert "jre" not in " ".join(value for _, value in stages()["sail"])
    assert "jre" in " ".join(value for _, value in stages()["spark"])
    copied = {value.split()[0] for steps in stages().values() for step, value in steps if step in {"COPY", "ADD"}}
    assert [fnmatch(built("*.whl").name, pattern) for pattern in copied] == [True]


@pytest.fixture(scope="module")
def sample_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """sample_data, readable for everybody."""
    folder = Path(shutil.copytree(ROOT / "sample_data", tmp_path_factory.mktemp("container") / "sample_data"))
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


@pytest.fixture(scope="module")
def base() -> None:
    images.make_base()


@pytest.fixture(scope="module", params=MADE)
def image(request: pytest.FixtureRequest, base: None) -> str:
    images.build(request.param)
    return request.param


def test_an_image_says_what_readme_shows_and_runs_as_nobody_special(image: str, sample_data: Path) -> None:
    told = images.run(image, "txn-forensics", "run", "sample_data", "--quiet", "--engine", image, capture=sample_data)
    assert told.returncode == 1, told.stderr
    assert set(transcript_lines()) - set(told.stdout.splitlines()) == set()
    asked = "id -un; pwd; command -v java || echo no java"
    who = images.run(image, "sh", "-c", asked, capture=sample_data).stdout.split()
    assert who[:2] == ["forensics", "/captures"]
    assert (who[2:] == ["no", "java"]) == (image == "sail")
