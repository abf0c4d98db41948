"""The HLO level: compiled on request, linked to equation and op, side by side with any other level; HLO texts as they are pasted."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Workbench
from .test_access import violations

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

SOURCE = """\
import jax, jax.numpy as jnp
def f(x, y):
    z = jnp.tanh(x @ y)
    return z * 2 + 1
f(jnp.ones((4, 4)), jnp.ones((4, 4)))
"""
MODULE = """\
HloModule pick

ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  both = (f32[4], f32[4]) tuple(x, y)
  first = f32[4] get-tuple-element(both), index=0
  ROOT sum = f32[4] add(first, y)
}
"""


def compile_(bench: Workbench) -> None:
    bench.page.get_by_role("button", name="Compile").click()
    bench.page.wait_for_selector(".viewer > svg [data-eqn^='h']")
    bench.settled()


def box(bench: Workbench, title: str) -> Locator:
    return bench.page.locator(".viewer svg [data-eqn]", has_text=re.compile(rf"^{title}\b")).first


def test_three_levels_leave_room_for_the_name_of_the_program(open_page: Open) -> None:
    bench = open_page()
    bench.page.set_viewport_size({"width": 1600, "height": 1000})
    bench.paste("import jax, jax.numpy as jnp\ndef loss(w):\n    return jnp.sum(w**2)\njax.make_jaxpr(jax.grad(loss))(jnp.ones(3))\n")
    expect(bench.page.locator("[data-opens='signature']")).to_be_visible()
    assert bench.page.locator(".programs").evaluate("row => row.scrollWidth <= row.clientWidth")


def test_compiled_on_request_and_linked_from_equation_to_op_to_instruction_and_back(open_page: Open) -> None:
    bench = open_page()
    bench.paste(SOURCE)
    bench.tab("hlo")
    expect(bench.page.locator(".placeholder")).to_contain_text("Not compiled yet")
    copy = bench.page.get_by_role("button", name="Copy HLO")
    expect(copy).to_have_count(0)  # there is nothing to copy
    compile_(bench)
    expect(copy).to_be_visible()
    # From the equation to its instructions: what it was fused with is said, too.
    bench.tab("jaxpr")
    bench.idle()
    box(bench, "tanh").click()
    inspector = bench.page.locator(".inspector")
    section = inspector.locator("section", has=bench.page.get_by_role("heading", name="HLO", exact=True))
    expect(section).to_contain_text("tanh")
    expect(section).to_contain_text("Fused into one loop with")
    inspector.locator("section", has=bench.page.get_by_role("heading", name="StableHLO", exact=True)).get_by_role("button").first.click()
    expect(bench.page.locator(".reader .cm-lit").first).to_contain_text("stablehlo.tanh")
    bench.tab("hlo-text")
    lit = bench.page.locator(".reader .cm-lit").first
    expect(lit).to_contain_text("tanh(")
    expect(lit).to_contain_text("op_name=")
    # And back: the instruction leads to its equation.
    bench.page.locator(".reader .cm-line", has_text=re.compile(r"= f32\[4,4\]\{1,0\} add\(")).first.click()
    expect(inspector.locator("header strong")).to_have_text("add")
    bench.tab("jaxpr")
    bench.idle()
    expect(bench.page.locator(".viewer svg .selected, .viewer svg [class*='select']").first).to_be_attached()
    # It stays on for the next run, and is in the address.
    bench.paste(SOURCE.replace("+ 1", "+ 3"))
    bench.tab("hlo")
    bench.page.wait_for_selector(".viewer > svg [data-eqn^='h']")
    bench.page.wait_for_function("() => location.hash.startsWith('#v1:')")


def test_what_cannot_be_compiled_says_so(open_page: Open) -> None:
    bench = open_page()
    bench.paste("import jax\ns = jax.export.symbolic_shape('n')\njax.make_jaxpr(lambda x: x * 2)(jax.ShapeDtypeStruct(s, 'float32'))\n")
    bench.tab("hlo")
    bench.page.get_by_role("button", name="Compile").click()
    expect(bench.page.locator(".placeholder")).to_contain_text("It was not compiled")
    expect(bench.page.locator(".placeholder")).to_contain_text("when the sizes are known")
    bench.tab("stablehlo")
    bench.idle()


def test_a_pasted_module_is_drawn_and_a_broken_one_has_its_line(open_page: Open) -> None:
    bench = open_page()
    bench.paste(MODULE)
    expect(bench.page.locator("[role=tab][data-tab='hlo']")).to_have_attribute("aria-selected", "true")
    bench.idle()
    expect(box(bench, "add")).to_be_visible()
    # A tuple is its elements: it is no box.
    expect(bench.page.locator(".viewer svg", has_text="get-tuple-element")).to_have_count(0)
    box(bench, "add").click()
    expect(bench.page.locator(".editor .cm-lit").first).to_contain_text("add(first, y)")
    bench.paste(MODULE.replace("add(", "addd("))
    problem = bench.page.locator(".problems, .details").get_by_text("Unknown opcode: addd").first
    expect(problem).to_be_visible()


def test_any_two_levels_side_by_side_as_text_or_graph(open_page: Open) -> None:
    bench = open_page()
    bench.paste(SOURCE)
    bench.tab("beside-text")
    columns = bench.page.locator(".beside-column")
    chooser = bench.page.locator(".beside-head select")
    chooser.nth(1).select_option("jaxpr-graph")
    chooser.nth(2).select_option("hlo")
    missing = columns.nth(2)
    expect(missing).to_contain_text("Not compiled yet")
    missing.get_by_role("button", name="Compile").click()
    expect(columns.nth(2).locator(".cm-line", has_text="HloModule").first).to_be_visible(timeout=30_000)
    bench.page.wait_for_selector(".beside .viewer > svg [data-eqn]")
    # A line of the paste lights the graph and the text.
    columns.nth(0).locator(".cm-line", has_text="jnp.tanh").click(position={"x": 120, "y": 8})
    bench.page.mouse.move(5, 5)
    expect(columns.nth(2).locator(".cm-lit").first).to_be_visible()
    expect(bench.page.locator(".beside-foot [role=status]")).to_contain_text("instruction")
    # A box of the graph lights the text and the paste.
    bench.page.locator(".beside .viewer svg [data-eqn]", has_text=re.compile("^tanh")).first.click()
    expect(columns.nth(0).locator(".cm-lit").first).to_contain_text("tanh")
    expect(columns.nth(2).locator(".cm-lit").first).to_contain_text("tanh")
    columns.nth(2).get_by_role("button", name="Close HLO").click()
    expect(columns).to_have_count(2)
    chooser.nth(1).select_option("hlo-graph")
    bench.page.wait_for_selector(".beside .viewer > svg [data-eqn^='h']")
    # By key, too: the foot says where it is.
    columns.nth(0).locator(".cm-line", has_text="return").click(position={"x": 60, "y": 8})
    bench.page.keyboard.press("n")
    expect(bench.page.locator(".beside-foot [role=status]")).to_contain_text("line")
    assert violations(bench.page) == []
