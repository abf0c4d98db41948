#!/bin/sh
# A Firefox that draws our pictures for `make test-all`: the machine's own, or Debian's firefox-esr (250 MB) where we are root.
# Says what to do where none can be had; the tests of it are then skipped with the same words, all others run.
set -u
for name in firefox-esr firefox; do
  command -v "$name" > /dev/null 2>&1 && exit 0
done
printf '\033[1m==>\033[0m %s\n' "Firefox, to see the pictures in it"
if command -v apt-get > /dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends firefox-esr > /dev/null; then
    exit 0
  fi
fi
echo "No Firefox: apt could not install firefox-esr. Install Firefox yourself to run the tests of it." >&2
exit 0
