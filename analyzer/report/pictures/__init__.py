"""Pictures of a report as SVG, drawn from the document's numbers: time lanes, offset strips, plots."""
