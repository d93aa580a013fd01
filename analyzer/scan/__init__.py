"""From paths to what is there: captures, their files, how each is read and what its folders say."""

from analyzer.scan.capture import Capture, CaptureRequest, scan_capture
from analyzer.scan.manifest import Manifest, read_manifest

__all__ = ["Capture", "CaptureRequest", "Manifest", "read_manifest", "scan_capture"]
