"""A pasted module in the graph: its loops have roles that are marked as derived, its values are followed, its ops inspected."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

LOOP = """
func.func @main(%x: tensor<5x3xf32>, %w: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %start = stablehlo.constant dense<0.0> : tensor<3xf32>
  %r:4 = stablehlo.while(%i = %zero, %xs = %x, %c = %start, %k = %w) : tensor<i32>, tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>
  cond {
    %p = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %xs, %i, %zero, sizes = [1, 3] : (tensor<5x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %flat = stablehlo.reshape %row : (tensor<1x3xf32>) -> tensor<3xf32>
    %y = func.call @step(%c, %k, %flat) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %xs, %y, %k : tensor<i32>, tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  return %r#2 : tensor<3xf32>
}
func.func private @step(%c: tensor<3xf32>, %w: tensor<3xf32>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.multiply %c, %w : tensor<3xf32>
  %1 = stablehlo.add %0, %x : tensor<3xf32>
  %2 = stablehlo.tanh %1 : tensor<3xf32>
  return %2 : tensor<3xf32>
}
"""


def test_a_pasted_loop_says_its_roles_and_is_followed_into_its_call(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.paste(LOOP)
    bench.tab("stablehlo")
    bench.idle()
    expect(page.locator(".viewer")).to_contain_text("while ×5")
    expect(page.locator(".viewer")).to_contain_text("roles derived from the text")
    inspector = page.locator(".inspector")
    expect(inspector).to_contain_text("2 functions")
    page.locator(".viewer text", has_text="while ×5").first.click()
    expect(inspector).to_contain_text("Runs 5 times")
    expect(inspector.locator("tbody tr", has_text="xs").first).to_contain_text("derived")
    bench.equation("tanh").click()
    expect(inspector).to_contain_text("stablehlo.tanh")
    expect(inspector.get_by_role("button", name="call @step")).to_be_visible()
    page.keyboard.press("u")
    bar = page.locator(".follow")
    expect(bar).to_contain_text("depends on")
    expect(bar).to_contain_text("%x and %w")
    expect(page.locator(".viewer .kept[data-eqn]:has(> .jv-op)", has_text="multiply")).not_to_have_count(0)
    page.keyboard.press("d")
    expect(bar).to_contain_text("feeds")
    page.keyboard.press("Escape")
    expect(bar).to_have_count(0)


FUNCTIONS = """module {
  func.func public @first(%x: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.tanh %x : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func public @second(%y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.sine %y : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""


def test_a_function_says_what_it_takes_and_gives(open_page: Open) -> None:
    """Selected, it left the inspector empty."""
    bench = open_page()
    page = bench.page
    bench.paste(FUNCTIONS)
    page.locator(".viewer .jv-toggle", has_text="@second").locator("text").first.click()
    inspector = page.locator(".inspector")
    expect(inspector.locator("header")).to_contain_text("@second")
    expect(inspector.locator("tbody")).to_contain_text("tensor<4xf32>")
    expect(page.locator(".crumbs-row")).to_contain_text("@second")
    inspector.get_by_role("button", name="Copy").click()
    expect(page.locator(".announcer")).to_contain_text("Copied the function @second")
