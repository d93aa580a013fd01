"""The script that spark-submit runs: the arguments of `txn-forensics` in, its output and exit code out."""

import sys

from analyzer.cli import main

if __name__ == "__main__":
    sys.exit(main())
