from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from visualizer.tracing.undo._files import MAX_BYTES, files_kept


def test_what_is_written_meanwhile_is_not_there_afterwards(tmp_path):
    log, gone, new, folder = (tmp_path / name for name in ("log", "gone", "new", "folder"))
    log.write_text("one\n")
    gone.write_text("here")
    with files_kept():
        with log.open("a") as stream:
            stream.write("two\n")
        gone.unlink()
        new.write_text("new")
        folder.mkdir()
        (folder / "inside").write_text("")
        with tempfile.NamedTemporaryFile(dir=tmp_path, delete=False):
            pass
        log.rename(tmp_path / "moved")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gone", "log"]
    assert (log.read_text(), gone.read_text()) == ("one\n", "here")


def test_what_is_written_before_and_after_stays(tmp_path):
    path = tmp_path / "log"
    with files_kept():
        pass
    path.write_text("kept")
    with files_kept():
        assert path.read_text() == "kept"
    path.write_text("kept, too")
    assert path.read_text() == "kept, too"


def test_no_operation_fails_for_being_watched(tmp_path):
    large = tmp_path / "large"
    large.write_bytes(bytes(MAX_BYTES + 1))
    with files_kept():
        large.write_bytes(b"small")
        with pytest.raises(FileNotFoundError):
            (tmp_path / "nowhere" / "file").write_text("")
        with Path(os.devnull).open("w") as stream:
            stream.write("")
    assert large.read_bytes() == b"small"  # too large to be remembered
