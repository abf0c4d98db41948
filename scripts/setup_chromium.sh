#!/bin/sh
# A Chromium for the browser tests: the machine's own, apt's where this is Debian and we are root, else Playwright's.
# Says what to do where none can be had; the browser tests then fail with the same message, all others run.
set -u
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  command -v "$name" > /dev/null 2>&1 && exit 0
done
if python -c 'import pathlib, sys; from playwright.sync_api import sync_playwright as s
with s() as p: sys.exit(not pathlib.Path(p.chromium.executable_path).exists())' 2> /dev/null; then
  exit 0
fi
printf '\033[1m==>\033[0m %s\n' "Chromium for the browser tests"
if command -v apt-get > /dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium > /dev/null; then
    exit 0
  fi
fi
if python -m playwright install chromium > /dev/null 2>&1; then
  exit 0
fi
echo "No Chromium: neither apt nor Playwright could install one. Install Chromium or Google Chrome yourself and run make test again." >&2
exit 0
