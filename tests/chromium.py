"""Where the Chromium of this machine is, and how tests start it."""

from __future__ import annotations

import shutil

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def executable() -> str | None:
    """None where it is not on the path; Playwright may still have its own."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next(filter(None, map(shutil.which, names)), None)
