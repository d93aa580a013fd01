"""Builds the docs site from README, docs/ and the pages that `explain` prints: `make docs` runs this module.

The pages lie in the site as in the tree, so a link works in both. A dead link is an error, and so is a page
that no menu names.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from typer.testing import CliRunner

from analyzer.cli.commands import app
from analyzer.detectors.registry import ALL
from analyzer.kafka.known_bugs import BY_ISSUE

ROOT = Path(__file__).parent.parent
WORK = ROOT / "build" / "docs"
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "sample_data/README.md")
FINDINGS, BUGS = "docs/explained", "docs/known-bugs"
MENU = {
    "Start": ("README.md", "docs/install.md", "docs/report.md", "sample_data/README.md"),
    "Collect": ("docs/collect.md", "docs/log-lines.md", "docs/anonymize.md"),
    "Act": (
        "docs/rescue.md",
        "docs/plan-on-a-broker.md",
        "docs/rescue-after-unclean-election.md",
        "docs/clients.md",
        "docs/internal-topic-expansion.md",
        "docs/keyed-topic-expansion.md",
    ),
    "Operate": ("docs/alerts.md", "docs/schedule.md", "docs/cluster.md", "docs/sql.md", "docs/performance.md"),
    "Why": ("docs/how-it-works.md", "docs/rules.md", "docs/stages.md"),
    "Project": ("CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md"),
}
"""The menu, but for the folders that have an entry of their own."""
FOLDERS = {
    "Findings": FINDINGS,
    "By example": "docs/detectors",
    "Known bugs": BUGS,
    "Post-mortems": "docs/postmortems",
    "Decisions": "docs/decisions",
}
LINK = re.compile(r"\]\(([^)#\s]+)")


def main() -> None:
    """Write the site into build/docs/html. Ends with the code of mkdocs, which fails at the first dead link."""
    shutil.rmtree(WORK, ignore_errors=True)
    source = WORK / "source"
    pages = [ROOT / name for name in PAGES] + sorted((ROOT / "docs").rglob("*.md"))
    for path in {*pages, *linked(pages)}:
        target = source / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    for name, page in explained():
        target = source / f"{name}.md"
        target.parent.mkdir(exist_ok=True)
        target.write_text(page, encoding="utf-8")
    settings = WORK / "mkdocs.yml"
    settings.write_text(json.dumps(site(source)), encoding="utf-8")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", settings], check=False
    )
    if built.returncode == 0:
        sys.stdout.write(f"{len(list((WORK / 'html').rglob('*.html')))} pages in {WORK.relative_to(ROOT)}/html\n")
    raise SystemExit(built.returncode)


def linked(pages: Iterable[Path]) -> set[Path]:
    """Return the files of the tree that pages link to; what is not there is left to mkdocs to tell."""
    named = {(page.parent / link).resolve() for page in pages for link in LINK.findall(page.read_text("utf-8"))}
    return {path for path in named if path.is_file() and path.is_relative_to(ROOT)}


def explained() -> Iterable[tuple[str, str]]:
    """Yield the page of each finding and of each known bug, as `explain --format markdown` prints it, and its name."""
    for one in ALL:
        yield f"{FINDINGS}/{one.code}", f"{_printed(one.code)}\n[By example](../detectors/{one.name}.md)\n"
    for issue in BY_ISSUE:
        yield f"{BUGS}/{issue}", _printed(issue)


def _printed(code: str) -> str:
    return CliRunner().invoke(app, ["explain", code, "--format", "markdown"], catch_exceptions=False).stdout


def site(source: Path) -> dict[str, object]:
    """Return the settings of mkdocs: nothing is fetched by a page, and everything that could be a dead link is told."""
    menu: list[object] = [{title: list(names)} for title, names in MENU.items()]
    for title, folder in FOLDERS.items():
        listed = sorted(str(path.relative_to(source)) for path in (source / folder).glob("*.md"))
        menu.insert(-1, {title: sorted(listed, key=lambda name: not name.endswith("README.md"))})
    return {
        "site_name": "txn-forensics",
        "docs_dir": str(source),
        "site_dir": str(WORK / "html"),
        "use_directory_urls": False,
        "theme": {"name": "mkdocs", "highlightjs": False},
        "markdown_extensions": ["sane_lists"],
        "plugins": ["search"],
        "nav": menu,
        "validation": {
            "nav": {"omitted_files": "warn", "not_found": "warn", "absolute_links": "warn"},
            "links": {"not_found": "warn", "anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"},
        },
    }


if __name__ == "__main__":
    main()
