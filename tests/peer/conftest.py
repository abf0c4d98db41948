"""Tests in JAX's style are run by the peer plugin, in a process of its own, and are no tests of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

SAMPLES = Path(__file__).parent / "samples"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the samples alone unless the plugin is there."""
    return (
        True
        if SAMPLES in (collection_path, *collection_path.parents) and not config.pluginmanager.has_plugin("tests.peer.plugin")
        else None
    )
