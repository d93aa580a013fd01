"""A real browser for the HTML report: Debian's Chromium, driven by selenium, without a window."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from selenium import webdriver

from analyzer.cli.pages import explained
from analyzer.report.rendering import render

NAMES = ("S8_marker_lost", "late_write", "coordinator_expansion_after")
"""The captures whose pages are looked at."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def missing() -> str:
    """Return what is not installed, or nothing."""
    browser = any(shutil.which(name) for name in BROWSERS)
    return "" if browser and shutil.which("chromedriver") else "apt-get install chromium chromium-driver"


def open_browser(width: int = 1150, height: int = 900) -> webdriver.Chrome:
    """Return a browser that keeps its console and its requests."""
    options = webdriver.ChromeOptions()
    options.binary_location = next(found for name in BROWSERS if (found := shutil.which(name)))
    for flag in ("--headless=new", "--hide-scrollbars", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
        options.add_argument(flag)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


def colours(browser: webdriver.Chrome, scheme: str) -> None:
    """Make the browser prefer light or dark colours."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def judged(captures: list[Path], case: Path) -> list[dict]:
    """Return the documents of these captures, as the program itself writes them."""
    command = [sys.executable, "-m", "analyzer", "run", "--each", *map(str, captures), "--case", str(case),
               "--engine", "sail", "--quiet", "--format", "json"]  # fmt: skip
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def written(document: dict, folder: Path, name: str) -> str:
    """Write the page of a document; return its address."""
    path = folder / f"{name}.html"
    path.write_text(render(document, "html", pages=explained()), "utf-8")
    return path.as_uri()
