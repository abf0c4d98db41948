"""The signature bar: types for a function's parameters, errors at the field, what survives, by keyboard and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Workbench
from .test_access import AXE, violations

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

LOSS = """\
import jax.numpy as jnp

def loss(w, xs, lr=0.5):
    return jnp.sum(jnp.tanh(xs @ w)) * lr
"""
CALLED = LOSS + "\nimport jax\njax.make_jaxpr(loss)(jnp.ones(2), jnp.ones((5, 2)))\n"
TREE = """\
import jax
import jax.numpy as jnp

def model(params: dict, x: jax.Array, activation: str = "tanh"):
    h = getattr(jnp, activation)(x @ params["w"] + params["b"])
    return jnp.mean(h ** 2)
"""


def field(bench: Workbench, name: str) -> Locator:
    return bench.page.locator(f"[data-field='{name}']")


def fill(bench: Workbench, **types: str) -> None:
    for name, text in types.items():
        field(bench, name).fill(text)


def trace(bench: Workbench, key: str = "Enter") -> None:
    with bench.page.expect_request("**/api/v1/trace"):
        bench.page.keyboard.press(key)
    bench.settled()


def inputs(bench: Workbench) -> str:
    """What the inspector says of the program shown."""
    bench.panel("inspector")
    return bench.page.locator(".inspector .params").first.inner_text()


def test_a_function_that_nobody_calls_is_traced_with_the_types_typed(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    bar = bench.page.get_by_role("form", name="Trace a function with types")
    expect(bar.get_by_label("Function")).to_have_value("loss")
    assert field(bench, "lr").get_attribute("placeholder") == "0.5"
    expect(bench.page.locator(".placeholder")).to_contain_text("types of its arguments, above")
    fill(bench, w="f32[3]", xs="f32[6,3]", lr="f32[]")
    trace(bench)
    assert bench.status == "Traced"
    expect(bar).to_contain_text("Traced with these types")
    assert inputs(bench).split() == ["w", "f32[3]", "xs", "f32[6,3]", "lr", "f32[]"]
    expect(bench.page.locator(".viewer svg")).to_contain_text("tanh")


def test_a_field_left_empty_is_the_default(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    fill(bench, w="f32[3]", xs="f32[6,3]", lr="")
    trace(bench, "Control+Enter")
    assert inputs(bench).split() == ["w", "f32[3]", "xs", "f32[6,3]"]
    expect(bench.page.locator(".viewer svg")).to_contain_text("0.5")


def test_pytrees_and_static_values(open_page: Open) -> None:
    bench = open_page()
    bench.paste(TREE)
    expect(bench.page.locator(".typed-field", has=field(bench, "params"))).to_contain_text("dict")
    fill(bench, params="{'w': f32[3,4], 'b': f32[4]}", x="bf16[6,3]", activation="'sin'")
    trace(bench)
    assert inputs(bench).split() == ["params['b']", "f32[4]", "params['w']", "f32[3,4]", "x", "bf16[6,3]"]
    expect(bench.page.locator(".viewer svg")).to_contain_text("sin")


def test_an_error_stands_at_its_field_and_the_others_keep_their_text(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    fill(bench, w="f32[3]", xs="f32[6,3", lr="f33[]")
    field(bench, "w").focus()
    trace(bench)
    expect(field(bench, "xs")).to_be_focused()
    expect(field(bench, "xs")).to_have_attribute("aria-invalid", "true")
    described = field(bench, "xs").get_attribute("aria-describedby")
    expect(bench.page.locator(f"[id='{described}']")).to_contain_text("never closed")
    expect(field(bench, "w")).to_have_attribute("aria-invalid", "false")
    assert [field(bench, name).input_value() for name in ("w", "xs", "lr")] == ["f32[3]", "f32[6,3", "f33[]"]
    fill(bench, xs="f32[6,3]")
    expect(field(bench, "xs")).to_have_attribute("aria-invalid", "false")
    trace(bench)
    expect(field(bench, "lr")).to_be_focused()
    expect(bench.page.locator(".typed-field", has=field(bench, "lr"))).to_contain_text("f33")
    fill(bench, lr="1.0")
    trace(bench)
    assert bench.status == "Traced"
    expect(bench.page.locator(".signature .fault")).to_have_count(0)


def test_what_is_missing_is_said_at_its_field(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    fill(bench, w="f32[3]", xs="")
    field(bench, "w").focus()
    trace(bench)
    expect(field(bench, "xs")).to_be_focused()
    expect(bench.page.locator(".typed-field", has=field(bench, "xs"))).to_contain_text("needed")


def test_an_error_in_the_function_is_listed_with_its_line(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    fill(bench, w="f32[3]", xs="f32[6,2]")
    field(bench, "w").focus()
    trace(bench)
    expect(bench.page.locator(".problem")).to_contain_text("same shape")
    expect(bench.page.locator(".editor .cm-lintRange-error")).to_have_text("xs @ w")
    expect(bench.page.locator(".signature [aria-invalid='true']")).to_have_count(0)
    expect(bench.page.locator(".signature .state")).to_have_text("Not traced with these types")


def test_the_types_survive_edits_reloads_and_a_look_at_another_function(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS + "\ndef other(z):\n    return z\n")
    fill(bench, w="f32[7]", xs="f32[2,7]")
    trace(bench)
    which = bench.page.get_by_label("Function", exact=True)
    which.select_option("other")
    fill(bench, z="i32[5]")
    which.select_option("loss")
    assert field(bench, "w").input_value() == "f32[7]"
    bench.page.locator(".editor .cm-line", has_text="tanh").click()
    bench.page.keyboard.press("End")
    with bench.page.expect_request("**/api/v1/trace") as sent:
        bench.page.keyboard.type("  # edited")
    bench.settled()
    assert (sent.value.post_data_json or {})["signature"]["w"] == "f32[7]"
    assert "f32[2,7]" in inputs(bench)
    bench.page.reload()
    bench.page.wait_for_selector(".editor .cm-content")
    bench.settled()
    summary = bench.page.get_by_role("region", name="Signature")
    expect(summary).to_contain_text("Traced with these types")
    expect(summary).to_contain_text("loss(w: f32[7], xs: f32[2,7]")
    assert "f32[2,7]" in inputs(bench)
    summary.get_by_role("button", name="Edit").click()
    expect(bench.page.get_by_label("Function", exact=True)).to_be_focused()
    bench.page.get_by_label("Function", exact=True).select_option("other")
    assert field(bench, "z").input_value() == "i32[5]"


def test_any_function_is_traced_on_demand_and_dropped_again(open_page: Open) -> None:
    bench = open_page()
    bench.paste(CALLED)
    assert "f32[5,2]" in inputs(bench)
    expect(bench.page.locator("form.signature")).to_have_count(0)
    bench.page.get_by_role("button", name="Trace a function…").click()
    fill(bench, w="f32[4]", xs="f32[9,4]")
    field(bench, "w").focus()
    trace(bench)
    assert "f32[9,4]" in inputs(bench)
    bench.page.get_by_role("button", name="Done").click()
    expect(bench.page.get_by_role("button", name="Edit")).to_be_focused()
    bench.page.get_by_role("button", name="Drop these types").click()
    bench.settled()
    assert "f32[5,2]" in inputs(bench)
    expect(bench.page.locator(".signature")).to_have_count(0)
    bench.page.get_by_role("button", name="Trace a function…").click()
    assert field(bench, "w").input_value() == "f32[4]"
    bench.page.keyboard.press("Escape")
    expect(bench.page.get_by_role("button", name="Trace a function…")).to_be_focused()


def test_an_expression_is_traced_too(open_page: Open) -> None:
    bench = open_page()
    bench.paste(CALLED)
    bench.page.get_by_role("button", name="Trace a function…").click()
    bench.page.get_by_label("Function", exact=True).select_option(label="An expression…")
    fill(bench, fun="jax.grad(loss)", args="f32[3], f32[6,3]")
    trace(bench)
    expect(bench.page.locator("[aria-label='Programs of this paste'] [role=tab]")).to_contain_text("loss")
    assert inputs(bench).split() == ["w", "f32[3]", "xs", "f32[6,3]"]
    fill(bench, fun="jax.grad(lost)")
    trace(bench)
    expect(field(bench, "fun")).to_be_focused()
    expect(bench.page.locator(".typed-field", has=field(bench, "fun"))).to_contain_text("lost")


def test_types_of_a_function_that_is_gone_are_put_aside(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    fill(bench, w="f32[3]", xs="f32[6,3]")
    field(bench, "w").focus()
    trace(bench)
    bench.paste("import jax\njax.make_jaxpr(lambda alone: alone * 2.0)(1.0)\n")
    expect(bench.page.locator(".chain.notice")).to_contain_text("The types for loss were put aside")
    expect(bench.page.locator(".viewer svg")).to_contain_text("alone")
    assert bench.status == "Traced"
    bench.page.get_by_role("button", name="Put this notice away").click()
    expect(bench.page.locator(".chain.notice")).to_have_count(0)


def test_examples_of_types_are_filled_in_by_a_click(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    fill(bench, w="", xs="f32[6,3]")
    field(bench, "w").focus()
    bench.page.get_by_role("button", name="Fill in f32[3], an array").click()
    expect(field(bench, "w")).to_be_focused()
    trace(bench)
    assert inputs(bench).split()[:2] == ["w", "f32[3]"]


def test_by_keyboard_alone(open_page: Open) -> None:
    bench = open_page()
    bench.paste("import jax.numpy as jnp\n\ndef first(x):\n    return x\n\ndef second(y):\n    return jnp.cos(y)\n")
    keys = bench.page.keyboard
    expect(bench.page.locator('[data-field="x"]')).to_be_visible()
    keys.press("Escape")
    for _ in range(12):
        keys.press("Tab")
        if bench.page.evaluate("document.activeElement.tagName") == "SELECT":
            break
    keys.press("ArrowDown")
    expect(bench.page.locator('[data-field="y"]')).to_be_visible()
    for _ in range(4):
        keys.press("Tab")
        if bench.focused("data-field") == "y":
            break
    assert bench.focused("data-field") == "y"
    keys.press("Control+a")
    keys.type("f32[4]")
    trace(bench)
    assert bench.focused("data-field") == "y"
    expect(bench.page.locator(".viewer svg")).to_contain_text("cos")


@pytest.mark.parametrize("width", [400, 1000])
def test_nothing_is_cut_off(open_page: Open, width: int) -> None:
    bench = open_page(width=width, height=800)
    if width < 760:
        bench.tab("code")
    names = ", ".join(f"parameter_{i}_of_a_function_with_long_names: 'dict[str, jax.Array]'" for i in range(9))
    bench.paste(f"def {'f' * 90}({names}):\n    return 1\n")
    if width < 760:
        bench.tab("graph")
    bar = bench.box("form.signature")
    assert bar["height"] < 0.6 * 800
    assert bench.page.evaluate("document.documentElement.scrollWidth") <= width
    assert bench.page.locator("form.signature").evaluate("form => form.scrollWidth - form.clientWidth") == 0
    for i in range(9):
        box = bench.box_of(field(bench, f"parameter_{i}_of_a_function_with_long_names"))
        assert box["x"] >= bar["x"]
        assert box["x"] + box["width"] <= bar["x"] + bar["width"]


def test_on_a_phone_the_bar_folds_when_the_program_is_there(open_page: Open) -> None:
    bench = open_page(width=400, height=800, has_touch=True)
    bench.tab("code")
    bench.paste(LOSS)
    bench.tab("graph")
    fill(bench, w="f32[3]", xs="f32[6,3]")
    bench.page.get_by_role("button", name="Trace", exact=True).tap()
    bench.settled()
    expect(bench.page.get_by_role("region", name="Signature")).to_be_visible()
    expect(bench.page.get_by_role("button", name="Edit")).to_be_focused()
    expect(bench.page.locator(".viewer svg")).to_contain_text("tanh")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci in frontend")
def test_axe_finds_nothing_serious(open_page: Open, scheme: str) -> None:
    bench = open_page(color_scheme=scheme)
    bench.paste(LOSS)
    fill(bench, w="f32[3", xs="f32[6,3]")
    field(bench, "w").focus()
    trace(bench)
    assert violations(bench.page) == []
    fill(bench, w="f32[3]")
    trace(bench)
    bench.page.get_by_role("button", name="Done").click()
    assert violations(bench.page) == []
