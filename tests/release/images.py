"""Images of the Containerfile, built by buildah from a fresh root of Debian: nothing is pulled from a registry of images."""

import os
import shutil
import subprocess
from pathlib import Path

from built import ROOT

RECIPE = ROOT / "release" / "Containerfile"
BASE = "debian:trixie-slim"
WORK = ROOT / "build" / "container"
BUILDAH = ("buildah", "--root", WORK / "store", "--runroot", WORK / "run")
OURS = {"STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}
"""What buildah needs where there are no overlays and no user namespaces."""


def buildah(*arguments: str | Path) -> str:
    """Run buildah with a store of its own and return what it prints. Raises CalledProcessError where it fails."""
    command = [*BUILDAH, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | OURS, capture_output=True, text=True, check=False)
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr[-3000:])
    return done.stdout.strip()


def make_base() -> None:
    """Make the base image: what debootstrap installs, and this machine's certificates and pip settings, as lent."""
    release = BASE.partition(":")[2].removesuffix("-slim")
    root = WORK / "root"
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    made = ["debootstrap", "--variant=minbase", "--include=ca-certificates", release, root]
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
    shutil.copytree("/usr/local/share/ca-certificates", root / "usr/local/share/ca-certificates", dirs_exist_ok=True)
    if Path("/etc/pip.conf").is_file():
        shutil.copy("/etc/pip.conf", root / "etc")
    subprocess.run(["chroot", root, "update-ca-certificates"], check=True, capture_output=True)
    subprocess.run(["tar", "-C", root, "-cf", WORK / "root.tar", "."], check=True)
    empty = buildah("from", "scratch")
    buildah("add", "--quiet", empty, WORK / "root.tar", "/")
    buildah("commit", "--quiet", "--rm", empty, f"localhost/{BASE}")
    shutil.rmtree(root)


def build(target: str) -> None:
    """Build a stage of the recipe from dist/ as the image of that name."""
    buildah("build", "--pull-never", "--layers", "-f", RECIPE, "-t", target, "--target", target, ROOT / "dist")


def run(image: str, *command: str, capture: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a fresh container of the image, with a capture in /captures that it may only read."""
    container = buildah("from", "--pull-never", image)
    try:
        started = [*BUILDAH, "run", "--volume", f"{capture}:/captures/{capture.name}:ro", container, "--", *command]
        return subprocess.run(started, env=os.environ | OURS, capture_output=True, text=True, timeout=900, check=False)
    finally:
        buildah("rm", container)
