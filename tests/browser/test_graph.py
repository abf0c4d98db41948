"""The graph: opening and closing, hovering in both directions, the twin, pan and zoom."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]


def test_the_triangle_closes_and_opens_and_stays_under_the_pointer(open_page: Open) -> None:
    bench = open_page()
    before = bench.box(".viewer .jv-toggle .jv-fold")
    bodies = bench.page.locator(".viewer [data-eqn^='e0/']")
    assert bodies.count() > 0
    bench.page.mouse.click(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    expect(bodies).to_have_count(0)
    bench.idle()
    closed = bench.box(".viewer .jv-toggle[data-eqn='e0'] .jv-fold")
    assert abs(closed["x"] - before["x"]) < 6
    assert abs(closed["y"] - before["y"]) < 6
    bench.page.mouse.click(closed["x"] + closed["width"] / 2, closed["y"] + closed["height"] / 2)
    expect(bodies).not_to_have_count(0)
    bench.idle()
    again = bench.box(".viewer .jv-toggle[data-eqn='e0'] .jv-fold")
    assert abs(again["x"] - before["x"]) < 2
    assert abs(again["y"] - before["y"]) < 2


def test_everything_closes_and_opens_by_one_button(open_page: Open) -> None:
    bench = open_page()
    bench.page.get_by_role("button", name="Close every body").click()
    expect(bench.page.locator(".viewer .jv-toggle[aria-expanded=true]")).to_have_count(0)
    expect(bench.page.locator(".viewer .jv-toggle[aria-expanded=false]")).to_have_count(2)
    bench.page.get_by_role("button", name="Open every body").click()
    expect(bench.page.locator(".viewer .jv-toggle[aria-expanded=true]")).to_have_count(2)


def test_the_twins_stand_side_by_side_at_one_height(open_page: Open) -> None:
    bench = open_page()
    forward, backward = bench.frame("e0"), bench.frame("e6")
    assert abs(forward["y"] - backward["y"]) < 2
    assert backward["x"] >= forward["x"] + forward["width"]


def test_hovering_an_equation_lights_its_source_and_only_that(open_page: Open) -> None:
    bench = open_page()
    bench.equation("tanh").hover()
    expect(bench.page.locator(".editor .cm-lit")).to_have_text("jnp.tanh(gain * h + x)")
    expect(bench.page.locator(".viewer.lighting")).to_be_visible()
    bench.page.mouse.move(3, 3)
    expect(bench.page.locator(".editor .cm-lit")).to_have_count(0)


def test_hovering_the_source_lights_equations(open_page: Open) -> None:
    bench = open_page()
    line = bench.page.locator(".editor .cm-line", has_text="jnp.sum(hs")
    line.locator("span", has_text="sum").hover()
    lit = bench.page.locator(".viewer g.lit[data-eqn]")
    expect(lit.first).to_be_visible()
    assert any("reduce_sum" in text for text in lit.all_text_contents())


def test_an_equation_and_its_op_light_each_other(open_page: Open) -> None:
    bench = open_page()
    bench.equation("tanh").click()
    bench.tab("stablehlo-text")
    lit = bench.page.locator(".reader .cm-lit")
    expect(lit.first).to_contain_text("stablehlo.tanh")
    bench.page.locator(".reader .cm-line", has_text="stablehlo.multiply %arg0, %arg1").first.hover()
    expect(bench.page.locator(".editor .cm-lit").first).to_contain_text("gain * h")


def test_the_printed_jaxpr_is_linked_too(open_page: Open) -> None:
    bench = open_page()
    bench.tab("jaxpr-text")
    bench.page.locator(".reader .cm-line", has_text="= tanh").hover()
    expect(bench.page.locator(".editor .cm-lit")).to_have_text("jnp.tanh(gain * h + x)")
    bench.page.locator(".reader .cm-line", has_text="= tanh").click()
    bench.tab("jaxpr")
    bench.idle()
    expect(bench.page.locator(".viewer g.selected").first).to_contain_text("tanh")


def test_the_stablehlo_graph_is_drawn_and_linked(open_page: Open) -> None:
    bench = open_page()
    bench.equation("reduce_sum").click()
    bench.tab("stablehlo")
    bench.idle()
    bench.drawn()
    assert bench.page.locator(".viewer > svg text").count() > 5


def test_an_equation_without_ops_is_gone_after_lowering(open_page: Open) -> None:
    bench = open_page()
    bench.equation("reduce_sum").click()
    section = bench.page.locator(".inspector section", has_text="StableHLO")
    expect(section).to_contain_text("Gone after lowering. Nothing reads what it gives")
    bench.tab("stablehlo")
    expect(bench.page.locator(".banner.gone")).to_contain_text("gone after lowering")


def test_the_wheel_pans_and_with_ctrl_zooms_about_the_pointer(open_page: Open) -> None:
    bench = open_page()
    bench.equation("tanh").hover()
    before = bench.box_of(bench.equation("tanh"))
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    bench.page.keyboard.down("Control")
    bench.page.mouse.wheel(0, -200)
    bench.page.keyboard.up("Control")
    bench.frames_pass()
    after = bench.box_of(bench.equation("tanh"))
    assert after["width"] > before["width"] * 1.5
    assert abs(after["x"] + after["width"] / 2 - x) < 3
    assert abs(after["y"] + after["height"] / 2 - y) < 3
    bench.page.mouse.wheel(0, 120)
    bench.frames_pass()
    assert abs(bench.box_of(bench.equation("tanh"))["y"] - (after["y"] - 120)) < 3
    bench.page.get_by_role("button", name="Fit").click()
    bench.frames_pass()
    view, svg = bench.box(".viewer"), bench.frame("e6")
    assert svg["x"] + svg["width"] <= view["x"] + view["width"]
    assert svg["y"] + svg["height"] <= view["y"] + view["height"]


def test_dragging_pans_and_selects_nothing(open_page: Open) -> None:
    bench = open_page()
    node = bench.equation("tanh")
    before = bench.box_of(node)
    x, y = before["x"] + 5, before["y"] + 5
    bench.page.mouse.move(x, y)
    bench.page.mouse.down()
    bench.page.mouse.move(x + 30, y + 40, steps=4)
    bench.page.mouse.up()
    bench.frames_pass()
    after = bench.box_of(node)
    assert (round(after["x"] - before["x"]), round(after["y"] - before["y"])) == (30, 40)
    expect(bench.page.locator(".viewer .selected")).to_have_count(0)


CARRIES = """
import jax, jax.numpy as jnp

def step(c, x):
    a, b, d, e, f, g = c
    return (b + x, a * x, d - a, jnp.sin(e), f + g, g * 2.0), a

c = tuple(jnp.float32(i) for i in range(6))
jax.make_jaxpr(lambda c, xs: jax.lax.scan(step, c, xs))(c, jnp.ones(4))
"""
ON_ITS_WIRE = """
group => {
  const path = group.querySelector("path");
  const at = path.getPointAtLength(3).matrixTransform(path.getScreenCTM());
  return [at.x, at.y];
}
"""


def test_a_line_that_many_wires_share_is_lit_with_each_of_them(open_page: Open) -> None:
    bench = open_page()
    bench.paste(CARRIES)
    shared = bench.page.locator(".viewer g:has(> .jv-shared)")
    expect(shared).to_have_count(5)
    expect(bench.page.locator(".viewer .jv-shared:visible")).to_have_count(0)
    bench.idle()
    x, y = shared.first.evaluate(ON_ITS_WIRE)
    bench.page.mouse.click(x, y)
    expect(shared.first.locator("> .jv-shared")).to_be_visible()
    expect(bench.page.locator(".viewer .jv-shared:visible")).to_have_count(1)
