#!/bin/sh
# Graphviz and librsvg for the tests and the benchmark, by apt where this is Debian and we are root (a few megabytes).
# Says what to do where they cannot be had; the tests of them are then skipped with the same words, all others run.
set -u
wanted=
command -v dot > /dev/null 2>&1 || wanted="graphviz"
command -v rsvg-convert > /dev/null 2>&1 || wanted="$wanted librsvg2-bin"
[ -z "$wanted" ] && exit 0
printf '\033[1m==>\033[0m %s\n' "Other tools that draw: $wanted"
if command -v apt-get > /dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  # shellcheck disable=SC2086 # two names
  if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted > /dev/null; then
    exit 0
  fi
fi
echo "Not installed: $wanted. Install them yourself (Graphviz has dot, librsvg has rsvg-convert) to run the tests of them." >&2
exit 0
