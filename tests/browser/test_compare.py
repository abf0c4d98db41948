"""Pins: what is kept is compared with what is selected, and outlives a run."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import EXAMPLES, Workbench
from .test_access import AXE, violations

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]


def test_a_pinned_scan_is_compared_with_its_twin(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.select("scan")
    page.keyboard.press("k")
    expect(page.locator(".announcer")).to_have_text("Pinned scan ×8: select another to compare the two.")
    expect(page.locator(".pins")).to_contain_text("Select another equation to compare it with scan ×8.")
    page.keyboard.press("]")
    table = page.locator(".compare table")
    expect(table.get_by_role("row", name=re.compile("^reverse.*differs"))).to_contain_text("True")
    expect(table.locator("tr.differs").first).to_be_visible()
    if AXE.is_file():
        assert violations(page) == []
    # The same code again: the pin stays.
    bench.paste((EXAMPLES / "01_grad_of_scan.py").read_text("utf-8") + "\n# again\n")
    expect(page.locator(".pin")).to_have_count(1)
    page.get_by_role("button", name="Unpin scan ×8").click()
    expect(page.locator(".pins")).to_have_count(0)


def test_two_programs_are_compared_by_their_primitives(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.example("04_unroll_is_a_param")
    page.locator(".inspector").get_by_role("button", name="Pin", exact=True).click()
    page.locator("[aria-label='Programs of this paste'] [role=tab]").nth(1).click()
    expect(page.locator(".compare")).to_contain_text("Primitives")
    expect(page.locator(".compare .differs")).to_contain_text("scan unroll")
    # Code that has none of it gives the pin up, and says so.
    bench.paste("import jax, jax.numpy as jnp\njax.make_jaxpr(jnp.sin)(1.0)\n")
    expect(page.locator(".pins")).to_have_count(0)
    expect(page.locator("body")).to_contain_text("was given up: it is no longer in this code.")
