#!/usr/bin/env bash
# Installs the wheel of dist/ for each Python that is here, and runs the main job and some tests with it, on Sail.
set -euo pipefail
cd "$(dirname "$0")/.."

wheel=$(ls dist/*.whl)
export TXN_FORENSICS_DATA=$PWD/build/pythons/data
tried=
for python in ${PYTHONS:-python3.11 python3.12 python3.13}; do
  if ! version=$("$python" -c 'import sys, venv; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null); then
    echo "$python: not here"
    continue
  fi
  environment=build/pythons/$version
  "$python" -m venv --clear "$environment"
  "$environment/bin/python" -Im pip install --quiet "$wheel[quick,dev]"
  said=$("$environment/bin/txn-forensics" run sample_data --engine sail --quiet) && code=0 || code=$?
  grep '3 PARTITIONS ARE STUCK' <<<"$said" || code=none
  [ "$code" = 1 ] || { echo "$version: the main job ends with $code" >&2; exit 1; }
  "$environment/bin/pytest" --engine sail -q -p no:cacheprovider \
    tests/kafka tests/scan tests/segments tests/cli/test_explain.py
  tried="$tried $version"
done
[ -n "$tried" ] || { echo "no Python to try" >&2; exit 1; }
echo "tried:$tried"
