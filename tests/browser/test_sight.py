"""A program that is pasted comes into sight, wherever the one before it was looked at, and however fast one follows the other."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

CHAIN = """
import jax, jax.numpy as jnp
def {name}(x):
    for _ in range({count}):
        x = {body}
    return x
jax.make_jaxpr({name})(jnp.ones(3))
"""
AWAY = """([dx, dy]) => {
  const view = document.querySelector('.viewer');
  const { x, y, width, height } = view.getBoundingClientRect();
  const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, cancelable: true };
  for (let i = 0; i < 12; i++) view.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: -60, ctrlKey: true }));
  for (let i = 0; i < 40; i++) view.dispatchEvent(new WheelEvent('wheel', { ...at, deltaX: dx, deltaY: dy }));
}"""
IN_SIGHT = """titles => {
  const view = document.querySelector('.viewer').getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.viewer > svg g[data-eqn]')];
  return boxes.filter((each) => titles.includes(each.querySelector('text')?.textContent)).some((each) => {
    const box = each.getBoundingClientRect();
    return box.left >= view.left && box.right <= view.right && box.top >= view.top && box.bottom <= view.bottom;
  });
}"""


def looked_away(bench, dx: int, dy: int) -> None:
    bench.page.evaluate(AWAY, [dx, dy])
    expect(bench.page.get_by_role("button", name="zoom to 100 %")).not_to_have_text(re.compile(r"^(?:[1-9]?\d|100) %$"))
    bench.frames_pass()


@pytest.mark.parametrize("way", [(900, 900), (-900, -900)])
def test_another_program_comes_into_sight(open_page, way):
    bench = open_page(width=1000, height=600)
    bench.paste(CHAIN.format(name="before", count=12, body="jnp.tanh(x)"))
    looked_away(bench, *way)
    # One of another name, one of the same, and one that stands where nothing was.
    for name, body, title in (("after", "jnp.cos(x)", "cos"), ("after", "jnp.exp(x)", "exp"), ("third", "jnp.sin(x)", "sin")):
        bench.paste(CHAIN.format(name=name, count=3, body=body))
        bench.page.wait_for_function(IN_SIGHT, arg=[title])
        looked_away(bench, *way)


def test_programs_that_follow_fast_come_into_sight(open_page):
    bench = open_page(width=1000, height=600)
    page = bench.page
    bench.paste(CHAIN.format(name="f", count=12, body="jnp.tanh(x)"))
    looked_away(bench, 900, 900)
    # The second is an edit of the first, which may never have been drawn.
    bench.paste(CHAIN.format(name="f", count=6, body="jnp.cos(x)"), wait=False)
    bench.paste(CHAIN.format(name="f", count=7, body="jnp.cos(x)"))
    page.wait_for_function(IN_SIGHT, arg=["cos"])
    # What was opened a moment ago is at no place of what comes now.
    bench.example("02_training_scan")
    looked_away(bench, -900, -900)
    page.locator(".viewer").focus()
    page.keyboard.press("e")
    bench.paste(CHAIN.format(name="f", count=2, body="jnp.sin(x)"))
    page.wait_for_function(IN_SIGHT, arg=["sin"])


def test_an_edit_leaves_what_is_looked_at_in_its_place(open_page):
    bench = open_page(width=1000, height=600)
    bench.paste(CHAIN.format(name="f", count=12, body="jnp.tanh(x)"))
    looked_away(bench, 0, 0)
    zoom = bench.page.get_by_role("button", name="zoom to 100 %")
    before = zoom.inner_text()
    bench.paste(CHAIN.format(name="f", count=13, body="jnp.tanh(x)"))
    bench.page.wait_for_function(IN_SIGHT, arg=["tanh"])
    expect(zoom).to_have_text(before)
