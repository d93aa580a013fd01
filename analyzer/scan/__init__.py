"""Finds what a path holds: captures, their files, how each file is read and where its folders place it."""

from analyzer.scan.capture import Capture, other_name, scan_capture
from analyzer.scan.manifest import Manifest, read_manifest
from analyzer.scan.request import CaptureRequest

__all__ = ["Capture", "CaptureRequest", "Manifest", "other_name", "read_manifest", "scan_capture"]
