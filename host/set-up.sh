#!/usr/bin/env bash
# Makes $RUNNER_TEMP/fixloop, a virtual environment with fixloop; the project's own environment stays as it is.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${RUNNER_TEMP:?this runs in a GitHub Actions job}/fixloop

for python in python3 python3.14 python3.13 python3.12 python3.11 python; do
  if "$python" -I -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    found=$python
    break
  fi
done
if [ -z "${found:-}" ]; then
  echo "::error title=fixloop::Python 3.11 or newer with venv is needed: add actions/setup-python before this step, or use the container action."
  exit 1
fi

# The copy keeps the Action's own folder as it was downloaded; -I keeps the workspace out of Python's path.
copy=$(mktemp -d "$RUNNER_TEMP/fixloop-source.XXXXXX")
trap 'rm -rf "$copy"' EXIT
cp -R "$source/pyproject.toml" "$source/README.md" "$source/LICENSE" "$source/fixloop_bot" "$copy"
"$found" -I -m venv --clear "$target"
extra=
case ${MODEL_PROVIDER:-} in
  bedrock | vertex) extra="[$MODEL_PROVIDER]" ;;
esac
"$target/bin/python" -I -m pip install --quiet --disable-pip-version-check "$copy$extra"
"$target/bin/fixloop" --version
