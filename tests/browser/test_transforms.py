"""One-click transforms: new programs beside the old, chains, failures at their step, what an edit does to them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Workbench
from .test_access import AXE, violations

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

LOSS = """\
import jax
import jax.numpy as jnp

def loss(w, xs, n):
    return jnp.mean((xs @ w) ** 2) * n

jax.make_jaxpr(loss)(jnp.zeros(3), jnp.ones((6, 3)), 2)
"""
WHOLE = "import jax\n\ndef double(n):\n    return n * 2\n\njax.make_jaxpr(double)(3)\n"


def programs(bench: Workbench) -> Locator:
    return bench.page.locator("[aria-label='Programs of this paste'] [role=tab]")


def names(bench: Workbench) -> list[str]:
    return [text.split("\n")[0].replace("make_jaxpr", "").strip() for text in programs(bench).locator(".program-name").all_inner_texts()]


def chosen(bench: Workbench) -> str:
    return bench.page.locator("[aria-label='Programs of this paste'] [aria-selected=true] .program-name").inner_text()


def item(bench: Workbench, name: str) -> Locator:
    title = bench.page.locator("b", has_text=re.compile(f"^{name}$"))
    return bench.page.locator(".transform-name", has=title)


def transform(bench: Workbench, name: str) -> None:
    bench.page.get_by_role("button", name="Transform ").click()
    with bench.page.expect_request("**/api/v1/trace"):
        item(bench, name).click()
    bench.settled()


def inputs(bench: Workbench) -> list[str]:
    bench.panel("inspector")
    return bench.page.locator(".inspector .params").first.inner_text().split()


def test_one_click_makes_a_program_beside_the_old(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    usual = ["w", "f32[3]", "xs", "f32[6,3]", "n", "i32[]"]
    expected = {
        "vmap": ["w", "f32[8,3]", "xs", "f32[8,6,3]", "n", "i32[8]"],
        "x64": ["w", "f64[3]", "xs", "f64[6,3]", "n", "i64[]"],
    }
    for count, name in enumerate(["grad", "value_and_grad", "jvp", "vmap", "jit", "checkpoint", "x64"]):
        programs(bench).first.click()
        assert chosen(bench) == "loss"
        transform(bench, name)
        assert bench.status == "Traced"
        assert chosen(bench).startswith(f"{name}(loss")
        assert programs(bench).count() == count + 2
        bench.drawn()
        found = inputs(bench)
        assert found[:6] == expected.get(name, usual), name
        assert ("w_dot" in found) == (name == "jvp"), name


def test_a_chain_of_three_shows_its_way_and_is_taken_back(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    for name in ("grad", "vmap", "jit"):
        transform(bench, name)
    assert names(bench) == ["loss", "grad(loss)", "vmap(grad(loss))", "jit(vmap(grad(loss)))"]
    assert chosen(bench) == "jit(vmap(grad(loss)))"
    chain = bench.page.get_by_role("navigation", name="How jit(vmap(grad(loss))) was made")
    assert chain.locator("li").all_inner_texts() == ["loss", "grad", "vmap", "jit"]
    expect(chain.locator("[aria-current]")).to_have_text("jit")
    chain.get_by_role("button", name="grad", exact=True).click()
    assert chosen(bench) == "grad(loss)"
    programs(bench).nth(3).click()
    bench.page.get_by_role("button", name="Remove jit(vmap(grad(loss)))").click()
    assert names(bench) == ["loss", "grad(loss)", "vmap(grad(loss))"]
    assert chosen(bench) == "vmap(grad(loss))"
    programs(bench).nth(2).press("Delete")
    assert chosen(bench) == "grad(loss)"
    expect(programs(bench).nth(1)).to_be_focused()


def test_parameters_are_chosen_by_checkboxes(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    bench.page.get_by_role("button", name="Transform ").click()
    bench.page.get_by_role("button", name="Choose the parameters of grad").click()
    boxes = bench.page.get_by_role("group", name="With respect to")
    expect(boxes.get_by_label("w f32[3]")).to_be_checked()
    expect(boxes.get_by_label("n not a float")).to_be_disabled()
    boxes.get_by_label("xs f32[6,3]").check()
    boxes.get_by_label("w f32[3]").uncheck()
    with bench.page.expect_request("**/api/v1/trace") as sent:
        bench.page.get_by_role("button", name="Apply grad").click()
    bench.settled()
    assert (sent.value.post_data_json or {})["transforms"][0]["steps"][0]["argnums"] == [1]
    outputs = bench.page.locator(".inspector .params").nth(1)
    expect(outputs).to_contain_text("f32[6,3]")
    expect(bench.page.locator(".chain [aria-current]")).to_have_text("grad(argnums=1)")


def test_the_axes_and_the_size_of_a_batch_are_chosen(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    bench.page.get_by_role("button", name="Transform ").click()
    bench.page.get_by_role("button", name="Choose the parameters of vmap").click()
    axes = bench.page.get_by_role("group", name="New axis of each array")
    axes.get_by_label("w f32[3]").select_option("not batched")
    axes.get_by_label("xs f32[6,3]").select_option("axis 1")
    axes.get_by_label("n ~i32[]").select_option("not batched")
    bench.page.get_by_label("size").fill("5")
    bench.page.get_by_role("button", name="Apply vmap").click()
    bench.settled()
    assert inputs(bench) == ["w", "f32[3]", "xs", "f32[6,5,3]", "n", "i32[]"]


def test_what_cannot_be_applied_says_why(open_page: Open) -> None:
    bench = open_page()
    bench.paste(WHOLE)
    bench.page.get_by_role("button", name="Transform double").click()
    grad = item(bench, "grad")
    expect(grad).to_have_attribute("aria-disabled", "true")
    expect(grad).to_contain_text("No parameter has a float type.")
    grad.click(force=True)
    expect(bench.page.get_by_role("dialog", name="Transform double")).to_be_visible()
    assert programs(bench).count() == 1


def test_a_failure_stands_at_its_step_with_advice(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    transform(bench, "grad")
    transform(bench, "grad")
    failed = bench.page.get_by_role("region", name="grad(grad(loss)) failed")
    expect(failed.locator("li.bad")).to_have_text("grad (failed)")
    assert failed.locator("li").last.get_attribute("class") == "bad"
    expect(failed.locator(".fault")).to_contain_text("scalar")
    expect(failed.locator(".advice")).to_contain_text("Reduce it")
    assert chosen(bench) == "grad(loss)"
    expect(bench.page.locator(".stage.stale")).to_have_count(0)
    failed.get_by_role("button", name="Remove").click()
    expect(failed).to_have_count(0)
    bench.page.get_by_role("button", name="Run").click()
    bench.settled()
    assert bench.status == "Traced"


def test_an_edit_keeps_the_transforms_and_follows_their_program(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    transform(bench, "grad")
    bench.paste(LOSS.replace("** 2", "** 3"))
    assert chosen(bench) == "grad(loss)"
    before = "jax.make_jaxpr(lambda before: before + 1.0)(1.0)\njax.make_jaxpr(loss)"
    bench.paste(LOSS.replace("jax.make_jaxpr(loss)", before))
    bench.settled()
    expect(programs(bench)).to_have_count(3)
    assert {"grad(loss)", "loss"} < set(names(bench))
    assert chosen(bench) == "grad(loss)"
    assert "xs" in inputs(bench)
    bench.page.reload()
    bench.page.wait_for_selector(".editor .cm-content")
    bench.settled()
    expect(programs(bench)).to_have_count(3)


def test_transforms_without_their_program_are_given_up_with_a_notice(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    transform(bench, "grad")
    bench.paste("raise ValueError\n")
    expect(bench.page.locator(".chain.notice")).to_have_count(0)
    bench.paste(LOSS)
    assert chosen(bench) == "grad(loss)"
    bench.paste(WHOLE)
    expect(bench.page.locator(".chain.notice")).to_contain_text("grad(loss) was given up")
    bench.settled()
    assert names(bench) == ["double"]
    assert bench.status == "Traced"


def test_transforms_of_a_function_traced_with_types(open_page: Open) -> None:
    bench = open_page()
    bench.paste("import jax.numpy as jnp\n\ndef loss(w, xs):\n    return jnp.sum(jnp.tanh(xs @ w))\n")
    bench.page.locator("[data-field=w]").fill("f32[3]")
    bench.page.locator("[data-field=xs]").fill("f32[6,3]")
    bench.page.keyboard.press("Enter")
    bench.settled()
    transform(bench, "value_and_grad")
    assert chosen(bench) == "value_and_grad(loss)"
    bench.page.locator("[data-field=xs]").fill("f32[9,3]")
    bench.page.locator("[data-field=xs]").press("Enter")
    bench.settled()
    assert chosen(bench) == "value_and_grad(loss)"
    assert inputs(bench) == ["w", "f32[3]", "xs", "f32[9,3]"]


def test_by_keyboard_alone(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LOSS)
    keys = bench.page.keyboard
    keys.press("Escape")
    for _ in range(30):
        keys.press("Tab")
        if (bench.focused("aria-label") or "").startswith("Transform "):
            break
    keys.press("Enter")
    expect(item(bench, "grad")).to_be_focused()
    keys.press("ArrowDown")
    expect(item(bench, "value_and_grad")).to_be_focused()
    keys.press("ArrowUp")
    keys.press("Tab")
    assert bench.focused("aria-label") == "Choose the parameters of grad"
    keys.press("Space")
    keys.press("Tab")
    keys.press("Tab")
    keys.press("Space")
    expect(bench.page.get_by_label("xs f32[6,3]")).to_be_checked()
    with bench.page.expect_request("**/api/v1/trace"):
        keys.press("Enter")
    bench.settled()
    expect(bench.page.locator(".chain [aria-current]")).to_have_text("grad(argnums=(0, 1))")
    assert (bench.focused("aria-label") or "").startswith("Transform ")
    keys.press("Enter")
    keys.press("Escape")
    expect(bench.page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("width", [400, 1000])
def test_the_panel_is_inside_of_the_page(open_page: Open, width: int) -> None:
    bench = open_page(width=width, height=800)
    bench.page.get_by_role("button", name="Transform ").click()
    bench.page.get_by_role("button", name="Choose the parameters of vmap").click()
    box = bench.box(".transforms")
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= 800
    assert bench.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci in frontend")
def test_axe_finds_nothing_serious(open_page: Open, scheme: str) -> None:
    bench = open_page(color_scheme=scheme)
    bench.paste(LOSS)
    transform(bench, "grad")
    transform(bench, "grad")
    bench.page.get_by_role("button", name="Transform ").click()
    bench.page.get_by_role("button", name="Choose the parameters of grad").click()
    assert violations(bench.page) == []
    bench.page.get_by_role("button", name="Choose the parameters of vmap").click()
    bench.page.locator(".transforms").evaluate("panel => panel.scrollTo(0, 0)")
    assert violations(bench.page) == []
    bench.paste(WHOLE)
    bench.page.get_by_role("button", name="Transform double").click()
    assert violations(bench.page) == []
