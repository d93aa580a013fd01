"""Joins the wheel of dist/ and all that it needs on Sail into one executable file: `make carry` runs this module.

The file is for the Python (3.11, 3.12 or 3.13) and the platform that run this. What Sail never loads is left out first.
"""

import base64
import fnmatch
import hashlib
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
LEFT_OUT = {
    "Spark itself": (
        "pyspark/jars/*",
        "pyspark/bin/*",
        "pyspark/sbin/*",
        "pyspark/data/*",
        "pyspark/examples/*",
        "pyspark/licenses/*",
        "pyspark/python/lib/*",
        "pyspark-*.data/*",
    ),
    "Arrow's Flight": ("pyarrow/*flight*",),
    "libraries under second names": ("pyarrow/libarrow_python*.so", "pyarrow/libarrow_*.0.0", "zstandard/_cffi*"),
    "what only compilers read": ("pyarrow/include/*", "pyarrow/src/*", "*.pxd", "*.pyx", "numpy/_core/include/*"),
    "tests": ("*/tests/*", "pysail/testing/*"),
    "lists of what was compiled in": ("*.dist-info/sboms/*",),
}
"""Files of wheels, by name; what is left is held against a run by `make carry-test`."""


def main() -> None:
    """Write `dist/txn-forensics-VERSION-PYTHON-PLATFORM` and print its size and what was left out."""
    (wheel,) = (ROOT / "dist").glob("txn_forensics-*.whl")
    version = wheel.name.split("-")[1]
    work = ROOT / "build" / "carry"
    shutil.rmtree(work, ignore_errors=True)
    whole, slim = work / "whole", work / "slim"
    slim.mkdir(parents=True)
    python("pip", "wheel", "--quiet", "--wheel-dir", whole, f"{wheel}[quick]")
    saved = dict.fromkeys(LEFT_OUT, 0)
    for path in sorted(whole.glob("*.whl")):
        for why, size in slimmed(path, slim / path.name).items():
            saved[why] += size
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}-{sysconfig.get_platform().replace('-', '_')}"
    target = ROOT / "dist" / f"txn-forensics-{version}-{tag}.pex"
    target.unlink(missing_ok=True)
    python(
        *("pex", f"txn-forensics[quick]=={version}", "--no-index", "--find-links", slim, "--disable-cache"),
        *("--no-pre-install-wheels",),  # as they are: pex itself would compress less
        *("--console-script", "txn-forensics", "--venv", "prepend", "--no-compile", "--output-file", target),
    )
    sys.stdout.write(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1e6:.0f} MB\n")
    for why, size in saved.items():
        sys.stdout.write(f"  left out: {why}, {size / 1e6:.0f} MB compressed\n")


def python(module: str, *arguments: str | Path) -> None:
    """Run a module of this Python; where it fails, so does this."""
    subprocess.run([sys.executable, "-m", module, *arguments], check=True, cwd=ROOT)


def slimmed(wheel: Path, target: Path) -> dict[str, int]:
    """Write the wheel without what is left out, with a RECORD of what is there; return the bytes saved for each why."""
    saved: dict[str, int] = {}
    record: list[str] = []
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as slim:
        listing = next(name for name in whole.namelist() if name.endswith(".dist-info/RECORD"))
        for member in whole.infolist():
            why = why_left_out(member.filename)
            if why is not None:
                saved[why] = saved.get(why, 0) + member.compress_size
            elif not member.is_dir() and member.filename != listing:
                content = whole.read(member)
                slim.writestr(member, content, zipfile.ZIP_DEFLATED)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                record.append(f'"{member.filename}",sha256={digest},{len(content)}')
        slim.writestr(listing, "\n".join([*record, f'"{listing}",,', ""]))
    return saved


def why_left_out(name: str) -> str | None:
    """Return why this file of a wheel is left out, None where it stays."""
    return next((why for why, names in LEFT_OUT.items() if any(fnmatch.fnmatchcase(name, one) for one in names)), None)


if __name__ == "__main__":
    main()
