"""Types beside the code, the card of a place, and what a cursor lights: against the trace that the page itself was sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from .conftest import EXAMPLES, Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

CALLS = """\
import jax
import jax.numpy as jnp


@jax.jit
def inner(x):
    return jax.nn.softmax(x * 2.0)


def outer(x):
    y = jnp.sin(x)
    return y @ y


def whole(x):
    z = outer(x)
    return z + inner(x).sum()


jax.make_jaxpr(whole)(jnp.ones(3))
"""
DERIVED = CALLS.replace("make_jaxpr(whole)", "make_jaxpr(jax.grad(whole))")


def line(bench: Workbench, text: str) -> Locator:
    return bench.page.locator(".editor .cm-line", has_text=text)


def hints(bench: Workbench, text: str) -> list[str]:
    return line(bench, text).locator(".cm-hint").all_inner_texts()


def traced(bench: Workbench, source: str) -> dict[str, Any]:
    """Pastes a source; the trace that the page is answered with."""
    with bench.page.expect_request("**/api/v1/trace") as sent:
        bench.paste(source)
    trace: dict[str, Any] = bench.page.evaluate(
        """async (body) => {
          const headers = { "content-type": "application/json" };
          return (await fetch("/api/v1/trace", { method: "POST", headers, body })).json();
        }""",
        sent.value.post_data,
    )
    return trace


def put(bench: Workbench, text: str, word: str) -> None:
    """Clicks a word of a line of the editor."""
    at = line(bench, text).first.evaluate(
        """(line, word) => {
          const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          for (let node; (node = walk.nextNode()); ) {
            const found = node.data.indexOf(word);
            if (found < 0) continue;
            const range = document.createRange();
            range.setStart(node, found);
            range.setEnd(node, found + word.length);
            const box = range.getBoundingClientRect();
            return [box.x + Math.min(box.width / 2, 9), box.y + box.height / 2];
          }
        }""",
        word,
    )
    bench.page.mouse.click(*at)


@pytest.mark.parametrize("name", ["01_grad_of_scan", "06_branches", "08_steps_that_differ", "09_jit_in_jit"])
def test_what_stands_beside_an_expression_is_a_type_the_trace_has_there(open_page: Open, name: str) -> None:
    bench = open_page()
    source = (EXAMPLES / f"{name}.py").read_text("utf-8")
    trace = traced(bench, source)
    expect(bench.page.locator(".cm-hint").first).to_be_visible()
    ends: dict[int, set[str]] = {}
    for program in trace["programs"]:
        for written in program["written"]:
            for value in written["values"]:
                variables = program["jaxprs"][value["jaxpr"]]["vars"]
                ends.setdefault(written["span"]["end_line"], set()).update(variables[var]["aval"] for var in value["parts"].values())
    seen = 0
    for number, text in bench.page.locator(".editor .cm-line").evaluate_all(
        "lines => lines.map((one, at) => [at + 1, [...one.querySelectorAll('.cm-hint')].map(hint => hint.firstChild.data)])"
    ):
        for hint in text:
            seen += 1
            if hint.endswith(" arrays"):
                continue
            parts = hint.strip("(){}").replace("], ", "]|").split("|")
            assert {part.split(": ")[-1].strip("(){}") for part in parts} <= ends[number] | {"…"}, (number, hint)
    assert seen >= 3


def test_what_is_typed_stays_where_it_is_and_is_all_that_is_copied(open_page: Open) -> None:
    bench = open_page()
    row = line(bench, "return jnp.sum(hs")
    expect(row.locator(".cm-hint")).to_have_count(2)
    put(bench, "return jnp.sum(hs", "return")
    bench.page.keyboard.press("End")
    with bench.page.expect_response("**/api/v1/trace"):
        bench.page.keyboard.type(" + 1.0")
        expect(row.locator(".cm-hint-stale")).to_have_count(2)
    bench.settled()
    caret = "() => document.querySelector('.editor .cm-cursor-primary').getBoundingClientRect().x"
    before = bench.page.evaluate(caret)
    bench.frames_pass()
    assert bench.page.evaluate(caret) == before
    # What stands before the caret waits until it has left the line.
    expect(row.locator(".cm-hint-stale")).to_have_count(1)
    bench.page.keyboard.press("ArrowUp")
    expect(row.locator(".cm-hint-stale")).to_have_count(0)
    bench.page.keyboard.press("Control+a")
    copied = bench.page.evaluate(
        """() => {
          const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
          document.querySelector(".editor .cm-content").dispatchEvent(event);
          return event.clipboardData.getData("text/plain");
        }"""
    )
    assert "return jnp.sum(hs**2) + 1.0\n" in copied
    assert "f32[" not in copied


def test_types_can_be_put_away_and_stay_away(open_page: Open) -> None:
    bench = open_page()
    expect(bench.page.locator(".cm-hint").first).to_be_visible()
    bench.page.get_by_role("button", name="Settings").click()
    bench.page.get_by_role("menuitemcheckbox", name="Types beside the code").click()
    expect(bench.page.locator(".cm-hint")).to_have_count(0)
    bench.page.reload()
    bench.drawn()
    bench.page.wait_for_selector(".editor .cm-content")
    expect(bench.page.locator(".cm-hint")).to_have_count(0)


def test_the_card_of_a_place_lists_every_time_and_leads_there(open_page: Open) -> None:
    bench = open_page()
    bench.example("07_recompute")
    put(bench, "return jnp.tanh(", "h @ w")
    bench.page.keyboard.press("Control+.")
    card = bench.page.get_by_role("dialog", name="Type of h @ w")
    expect(card.locator(".time").first).to_be_focused()
    words = card.locator(".time small").all_inner_texts()
    assert words[0] == "2 times"
    assert any("computed again" in text for text in words)
    assert any("backward" in text for text in words)
    card.locator(".time").first.press("Enter")
    expect(card).to_have_count(0)
    bench.idle()
    expect(bench.page.locator(".viewer g.selected[data-eqn='e0']").first).to_be_visible()


def test_a_function_name_offers_its_transforms_by_key_and_by_hovering(open_page: Open) -> None:
    bench = open_page()
    bench.paste(CALLS)
    put(bench, "def whole", "whole")
    bench.page.keyboard.press("Control+.")
    card = bench.page.get_by_role("dialog", name="whole: types and transforms")
    expect(card.get_by_role("button", name="grad", exact=True)).to_be_focused()
    with bench.page.expect_request("**/api/v1/trace"):
        bench.page.keyboard.press("Enter")
    bench.settled()
    programs = bench.page.locator("[aria-label='Programs of this paste'] [role=tab]")
    expect(programs.nth(1)).to_contain_text("grad(whole)")
    bench.page.mouse.move(5, 990)
    # One that nothing calls by itself, with the types that it was called with.
    line(bench, "def outer").hover(position={"x": 50, "y": 8})
    card = bench.page.get_by_role("dialog", name="outer: types and transforms")
    card.get_by_role("button", name="Trace this function…").click()
    expect(bench.page.locator("form.signature [data-field='x']")).to_have_value("f32[3]")


def test_a_transform_of_a_function_that_is_only_differentiated_traces_both(open_page: Open) -> None:
    bench = open_page()
    bench.paste(DERIVED)
    put(bench, "def whole", "whole")
    bench.page.keyboard.press("Control+.")
    card = bench.page.get_by_role("dialog", name="whole: types and transforms")
    with bench.page.expect_request("**/api/v1/trace"):
        card.get_by_role("button", name="vmap").click()
    bench.settled()
    assert bench.status == "Traced"
    programs = bench.page.locator("[aria-label='Programs of this paste'] [role=tab]")
    assert [text.split("\n")[0] for text in programs.all_inner_texts()] == ["whole", "vmap(whole)"]


def test_a_touch_shows_the_card(open_page: Open) -> None:
    bench = open_page(width=400, height=800, has_touch=True)
    bench.page.locator(".pane-tabs [data-tab='code']").tap()
    box = bench.box_of(line(bench, "def loss"))
    bench.page.touchscreen.tap(box["x"] + 55, box["y"] + 8)
    expect(bench.page.get_by_role("dialog", name="loss: types and transforms")).to_be_visible()


def test_a_cursor_lights_what_its_line_calls(open_page: Open) -> None:
    bench = open_page()
    bench.paste(CALLS)
    bench.drawn()
    put(bench, "z = outer", "outer")
    selected = bench.page.locator(".viewer g.selected[data-eqn]")
    expect(selected.first).to_be_visible()
    found = selected.evaluate_all("all => [...new Set(all.map(one => one.textContent.split('f32')[0].trim()))]")
    assert any("sin" in text for text in found) or any("outer" in text for text in found)
    # The decorators of a function, and a library's function in it.
    for text, word in (("@jax.jit", "jit"), ("return jax.nn.softmax", "softmax")):
        put(bench, text, word)
        expect(bench.page.locator(".viewer g.selected[data-eqn]").first).to_be_visible()


def test_what_is_selected_shows_the_calls_that_led_to_it(open_page: Open) -> None:
    bench = open_page()
    bench.paste(CALLS.replace("y = jnp.sin(x)\n    return y @ y", "return jnp.sin(x)[0]"))
    bench.drawn()
    bench.tab("jaxpr-text")
    bench.page.locator(".reader .cm-line", has_text="sin").first.hover()
    expect(line(bench, "return jnp.sin").locator(".cm-lit")).to_have_count(1)
    expect(line(bench, "z = outer").locator(".cm-lit-around")).to_contain_text("outer(x)")


def test_an_edit_keeps_the_picture_in_place_and_marks_what_is_new(open_page: Open) -> None:
    bench = open_page()
    tanh = bench.page.locator(".viewer g[data-eqn]:has(> .jv-op)", has_text="tanh")
    tanh.click()
    # Somewhere else than where a first look would be.
    bench.page.locator(".viewer").hover()
    bench.page.mouse.wheel(37, 23)
    bench.frames_pass()
    bench.idle()
    before, scale = bench.box_of(tanh), bench.page.locator(".footer").inner_text()
    put(bench, "h = jnp.tanh", "jnp")
    bench.page.keyboard.press("Home")
    with bench.page.expect_response("**/api/v1/trace"):
        bench.page.keyboard.type("x = x * 2.0\n")
    expect(bench.page.locator(".toast")).to_have_text("1 equation added")
    expect(bench.page.locator(".viewer g.fresh[data-eqn]")).to_contain_text("mul")
    bench.idle()
    bench.frames_pass()
    after = bench.box_of(tanh)
    assert bench.page.locator(".footer").inner_text() == scale
    assert max(abs(after["x"] - before["x"]), abs(after["y"] - before["y"])) < 100
    # The whole line goes again.
    bench.page.keyboard.press("ArrowUp")
    bench.page.keyboard.press("Shift+ArrowDown")
    with bench.page.expect_response("**/api/v1/trace"):
        bench.page.keyboard.press("Delete")
    expect(bench.page.locator(".announcer")).to_contain_text("1 equation removed")


def test_a_mistake_and_its_repair_move_nothing(open_page: Open) -> None:
    """What is said of a stale picture lies over it, and at the foot."""
    bench = open_page()
    tanh = bench.page.locator(".viewer g[data-eqn]:has(> .jv-op)", has_text="tanh")
    before = bench.box_of(tanh)
    put(bench, "return jnp.sum", "jnp")
    bench.page.keyboard.press("End")
    bench.page.keyboard.press("Backspace")
    expect(bench.page.locator(".strip")).to_be_visible()
    bench.frames_pass()
    assert bench.box_of(tanh) == before
    bench.page.keyboard.insert_text(" + nowhere)")
    expect(bench.page.locator(".problems, .details").get_by_text("nowhere").first).to_be_visible()
    # No fields for types come over a program that was traced: the next letter mends it.
    expect(bench.page.locator("form.signature")).to_have_count(0)
    bench.frames_pass()
    assert bench.box_of(tanh) == before
    for _ in " + nowhere)":
        bench.page.keyboard.press("Backspace")
    bench.page.keyboard.insert_text(")")
    expect(bench.page.locator(".strip")).to_have_count(0)
    bench.idle()
    assert bench.box_of(tanh) == before
