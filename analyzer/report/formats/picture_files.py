"""The pictures of a document as SVG files of their own: with their colors, light or dark as the viewer is."""

from collections.abc import Iterator, Mapping
from importlib.resources import files

from markupsafe import Markup

from analyzer.report.document.types import Document
from analyzer.report.formats.look import Look
from analyzer.report.pictures.known import known_of
from analyzer.report.pictures.lanes import lanes_picture
from analyzer.report.pictures.offsets import strip_picture
from analyzer.report.postmortem.events import happened
from analyzer.report.triage.triage import triage

MOST = 6
"""Pictures of each kind."""


def picture_files(document: Document, look: Look) -> Mapping[str, str]:
    """Return SVG files by their names: `BESIDE-time-1.svg`, the lanes of each incident, `BESIDE-offsets-1.svg`."""
    style = files("analyzer.report").joinpath("templates", "pictures.css").read_text("utf-8")
    return {f"{look.beside}-{name}.svg": _whole(picture, style) for name, picture in _pictures(document, look)}


def _pictures(document: Document, look: Look) -> Iterator[tuple[str, Markup]]:
    clock = look.clock
    taken = document["capture"]["captured_at"]
    told, known = happened(document, clock), known_of(document)
    incidents = (document.get("incidents") or [])[:MOST]
    lanes = [lanes_picture(one["timeline"], taken, clock, known, told) for one in incidents]
    for number, picture in enumerate(filter(None, lanes), 1):
        yield f"time-{number}", picture
    strips = [strip_picture(strip, {}) for one in triage(document).incidents if (strip := one.finding.get("strip"))]
    for number, picture in enumerate(filter(None, strips[:MOST]), 1):
        yield f"offsets-{number}", picture


def _whole(picture: Markup, style: str) -> str:
    """Return a picture as a file: a namespace, its style inside, a ground of the page's color."""
    namespace = 'xmlns="http://www.w3.org/2000/svg" '
    begin, _, rest = str(picture).partition(">")
    ground = '<rect class="page" width="100%" height="100%"/>'
    return f"{begin.replace('<svg ', f'<svg {namespace}', 1)}><style>{style}</style>{ground}{rest}\n"
