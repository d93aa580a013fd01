"""One browser, and the pages of three real captures, for all tests of the HTML report."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import browsing
from browsing import NAMES


@pytest.fixture(scope="session")
def browser():
    """The browser; where there is none these tests are skipped, but not in CI."""
    if browsing.missing():
        assert not os.environ.get("CI"), f"no browser: {browsing.missing()}"
        pytest.skip(f"THE HTML REPORT IS NOT TESTED: {browsing.missing()}")
    driver = browsing.open_browser()
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def documents(browser, lab, tmp_path_factory):
    """The documents of three captures by name, judged by the program."""
    found = browsing.judged([lab / "dev" / name / "dumps" for name in NAMES], tmp_path_factory.mktemp("case"))
    return dict(zip(NAMES, found, strict=True))


@pytest.fixture(scope="session")
def pages(documents, tmp_path_factory):
    """Where their pages are."""
    folder = tmp_path_factory.mktemp("pages")
    return {name: browsing.written(document, folder, name) for name, document in documents.items()}


@pytest.fixture
def page(browser, pages):
    """The browser on the page of the lost markers, its logs emptied before."""
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(pages["S8_marker_lost"])
    return browser
