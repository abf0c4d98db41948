"""What all tests share: the order in which they run, one Chromium, and the patience of hypothesis."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from .chromium import FLAGS, executable

# A busy machine is no failure.
settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# The quick ones first, so that a plain mistake is seen at once.
_LATER = ("sandbox", "browser", "corpus", "wheel")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)

    def rank(item: pytest.Item) -> int:
        return max((number for number, name in enumerate(_LATER, 1) if item.get_closest_marker(name)), default=0)

    items.sort(key=rank)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for the whole run: while one is driven, no other can be started beside it in this process."""
    from playwright.sync_api import sync_playwright

    path = executable()
    with sync_playwright() as playwright:
        if path is None and not Path(playwright.chromium.executable_path).exists():
            pytest.fail("no Chromium: apt install chromium, or playwright install chromium; then run `make test` again")
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()
