"""`python -m analyzer`: the same command as `txn-forensics`."""

from analyzer.cli import main

if __name__ == "__main__":
    main()
