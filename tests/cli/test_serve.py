"""`serve`: what its options become."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import visualizer._cli._serve as serve_command
from visualizer.cli import main


@pytest.mark.parametrize(
    ("given", "sources"),
    [
        ((), ("*",)),
        (("https://docs.example.org",), ("https://docs.example.org",)),
        (("https://*.example.org", "http://localhost:8000"), ("https://*.example.org", "http://localhost:8000")),
        (("none",), ()),
    ],
)
def test_who_may_show_links_in_frames(monkeypatch, given, sources):
    seen = []

    def serve(settings, _make, sock, *_) -> None:
        sock.close()
        seen.append(settings.frame_ancestors)

    monkeypatch.setattr(serve_command, "serve", serve)
    options = [part for each in given for part in ("--allow-frame", each)]
    done = CliRunner().invoke(main, ["serve", "--port", "0", "--no-open", *options])
    assert done.exit_code == 0
    assert seen == [sources]


@pytest.mark.parametrize(
    "given", ["*", "https://a; script-src *", "javascript:x", "https://a b", "https://a/path", "https://ä.example", ""]
)
def test_what_is_no_site_is_refused(given):
    done = CliRunner().invoke(main, ["serve", "--port", "0", "--no-open", "--allow-frame", given])
    assert done.exit_code == 2
    assert "--allow-frame" in done.output
