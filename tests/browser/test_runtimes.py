"""The picker of JAX versions: chosen, traced again, kept in the address."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.versions.runtime import DATA, ROOT, python_of

from .conftest import Workbench, ready

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]
OLD = "JAX 0.6.0"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server that has an older JAX beside its own; those of the other tests have one."""
    python_of("0.6.0")
    command = [sys.executable, "-m", "visualizer.cli", "serve", "--port", "0", "--no-open"]
    environment = {**os.environ, "JAXPR_VISUALIZER_DATA": str(DATA)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            found = next(filter(None, (re.search(r"http://[\w.\[\]:-]+/", line) for line in process.stdout)), None)
            assert found is not None, "the server ended before it said its address"
            ready(found.group().rstrip("/"))
            yield found.group().rstrip("/")
        finally:
            process.terminate()


def choose(bench: Workbench, name: str, button: str = "JAX") -> None:
    bench.page.get_by_role("button", name=re.compile(f"^{button}")).click()
    bench.page.get_by_role("menuitemradio", name=re.compile(f"^{re.escape(name)}")).click()
    # The first use of a version loads it.
    expect(bench.page.locator(".status")).not_to_have_class(re.compile("running"), timeout=60_000)
    bench.settled()


def test_a_choice_traces_again_and_is_in_the_address(open_page: Open) -> None:
    bench = open_page()
    picker = bench.page.get_by_role("button", name=re.compile("^JAX"))
    own = picker.inner_text()
    assert own != OLD
    choose(bench, OLD)
    assert bench.status == "Traced"
    expect(picker).to_have_text(OLD)
    bench.tab("jaxpr-text")
    expect(bench.page.locator(".pane-program .cm-content, .pane-program .reader").first).to_contain_text("linear=(False, True, True, True")
    expect(bench.page).to_have_url(re.compile("#v1:"))
    address = bench.page.url
    choose(bench, own)
    expect(picker).to_have_text(own)
    # The link brings the version back.
    bench.page.goto("about:blank")
    bench.page.goto(address)
    expect(picker).to_have_text(OLD)
    bench.settled()
    assert bench.status == "Traced"


def test_on_a_phone_the_versions_are_among_the_settings(open_page: Open) -> None:
    bench = open_page(width=400, height=800)
    expect(bench.page.get_by_role("button", name=re.compile("^JAX"))).to_have_count(0)
    choose(bench, OLD, "Settings")
    assert bench.status == "Traced"
    assert bench.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
