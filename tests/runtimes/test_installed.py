"""What is listed is what can be used, or says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from visualizer.runtimes import default_version, find, installed, named
from visualizer.runtimes._installed import MARK, is_version
from visualizer.runtimes._where import data_folder, lock_of


def test_the_oldest_comes_first_and_each_is_found(made):
    for version in ("0.10.1", "0.4.38", "0.6.0"):
        made(version)
    assert [one.version for one in installed()] == ["0.4.38", "0.6.0", "0.10.1"]
    found = find("0.6.0")
    assert found is not None
    assert (found.problem, found.about) == ("", "Python 3.11.7")
    assert named() == f"{default_version()}, 0.4.38, 0.6.0, 0.10.1"


def test_what_is_half_installed_is_not_listed(made, data):
    (made("0.6.0") / MARK).unlink()
    (made("0.7.2") / MARK).write_text("{")
    (made("0.9.2") / MARK).write_text('{"jax": "0.9.1", "about": ""}')
    (data / "other.lock").write_text("")
    assert installed() == []
    assert find("0.6.0") is None


def test_a_runtime_whose_python_is_gone_says_so(made, tmp_path):
    folder = made("0.6.0", python=str(tmp_path / "gone"))
    (one,) = installed()
    assert str(tmp_path / "gone") in one.problem
    assert "jax remove 0.6.0" in one.problem
    assert folder.exists()


@pytest.mark.parametrize("text", ["", "..", "0.6", "../0.6.0", "0.6.0/..", "latest", "0.6.0 ", "0.6.0\n", "v0.6.0"])
def test_only_exact_versions_are_looked_for(text, made):
    made("0.6.0")
    assert not is_version(text)
    assert find(text) is None


def test_where_the_data_lies(monkeypatch, tmp_path):
    monkeypatch.setenv("JAXPR_VISUALIZER_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("JAXPR_VISUALIZER_DATA")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert data_folder() == tmp_path / "xdg" / "jaxpr-visualizer"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # to be ignored, says the specification
    assert data_folder() == tmp_path / ".local" / "share" / "jaxpr-visualizer"
    monkeypatch.setattr("sys.platform", "darwin")
    assert data_folder() == tmp_path / "Library" / "Application Support" / "jaxpr-visualizer"


@pytest.mark.parametrize("version", ["0.4.38", "0.6.0", "0.7.2", "0.9.2"])
def test_every_version_that_is_tested_has_a_lock_of_hashes(version):
    file = lock_of(version)
    assert file is not None
    lines = Path(file).read_text().splitlines()
    assert f"jax=={version} \\" in lines
    assert f"jaxlib=={version} \\" in lines
    packages = [number for number, line in enumerate(lines) if "==" in line]
    assert all("--hash=sha256:" in lines[number + 1] for number in packages)
    assert any(line.startswith("pydantic==") for line in lines)
    assert lock_of("0.1.0") is None
