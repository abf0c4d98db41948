"""What all tests share: the order in which they run, and the patience of hypothesis."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure.
settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")

# The quick ones first, so that a plain mistake is seen at once.
_LATER = ("sandbox", "browser", "corpus", "wheel")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def rank(item: pytest.Item) -> int:
        return max((number for number, name in enumerate(_LATER, 1) if item.get_closest_marker(name)), default=0)

    items.sort(key=rank)
