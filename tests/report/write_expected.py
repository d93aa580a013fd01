"""From tests/report/documents to tests/report/expected: run it after a wanted change, then read the difference."""

import json
from pathlib import Path

from analyzer.report.rendering import render

HERE = Path(__file__).parent

for source in sorted((HERE / "documents").glob("*.json")):
    document = json.loads(source.read_text("utf-8"))
    for form, suffix in (("text", "txt"), ("markdown", "md"), ("concise", "concise")):
        (HERE / "expected" / f"{source.stem}.{suffix}").write_text(render(document, form), "utf-8")
    (HERE / "expected" / f"{source.stem}.full.txt").write_text(render(document, "text", full=True), "utf-8")
