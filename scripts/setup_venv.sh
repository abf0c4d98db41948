#!/bin/sh
# Makes the virtual environment $1 with the newest Python that the project allows; PYTHON=... chooses another.
set -eu
venv=$1
if [ -x "$venv/bin/python" ]; then
  exit 0
fi
good() {
  command -v "$1" > /dev/null 2>&1 && "$1" -c 'import sys; raise SystemExit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2> /dev/null
}
for candidate in ${PYTHON:-python3.13 python3.12 python3.11 python3 python}; do
  if good "$candidate"; then
    # A machine may have a newer Python without its venv module: the next one gets its turn.
    printf '\033[1m==>\033[0m %s\n' "Virtual environment with $("$candidate" --version)"
    "$candidate" -m venv "$venv" && exit 0
    rm -rf "$venv"
  fi
done
echo "Python 3.11, 3.12 or 3.13 with venv and pip is needed, and none was found (looked for: ${PYTHON:-python3.13 python3.12 python3.11 python3 python})." >&2
echo "On Debian and Ubuntu: apt install python3 python3-venv. Or name one: make run PYTHON=/path/to/python3.12" >&2
exit 1
