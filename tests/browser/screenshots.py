"""Takes the pictures of docs/pictures/: the HTML report of three real captures in Chromium, in light and in dark."""

import tarfile
import tempfile
from pathlib import Path

import browsing

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "docs" / "pictures"
SIZES = {"S8_marker_lost": (1150, 1150), "late_write": (1150, 1500), "coordinator_expansion_after": (1150, 1500)}


def main() -> None:
    """Judge the captures, open their pages, and save the beginning of each."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, tarfile.open(HERE.parent / "corpus.tar.xz") as archive:
        folder = Path(scratch)
        archive.extractall(folder, filter="data")
        captures = [folder / "dev" / name / "dumps" for name in SIZES]
        documents = browsing.judged(captures, folder / "case")
        for (name, size), document in zip(SIZES.items(), documents, strict=True):
            address = browsing.written({**document, "case": name}, folder, name)
            for scheme in ("light", "dark"):
                browser = browsing.open_browser(*size)
                browsing.colours(browser, scheme)
                browser.get(address)
                browser.save_screenshot(str(OUT / f"{name}_{scheme}.png"))
                browser.quit()


if __name__ == "__main__":
    main()
