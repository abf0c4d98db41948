"""Modules of StableHLO that a person has: dropped as a file, opened from the bar, read in the graph, and closed again."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from visualizer.tracing.compat import mlir

from .conftest import EXAMPLES, Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]
NAME = "12_a_module_of_stablehlo.mlir"
MODULE = (EXAMPLES / NAME).read_text("utf-8")


def drag(bench: Workbench, kind: str, name: str, data: bytes) -> None:
    bench.page.evaluate(
        """([kind, name, data]) => {
          const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([bytes], name));
          const event = new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
          document.querySelector(".editor .cm-content").dispatchEvent(event);
        }""",
        [kind, name, base64.b64encode(data).decode()],
    )


def lit_line(bench: Workbench) -> str:
    return bench.page.locator(".cm-line:has(.cm-lit)").first.inner_text()


def test_a_dropped_module_is_read_entered_and_searched(open_page: Open) -> None:
    bench = open_page()
    drag(bench, "dragenter", NAME, MODULE.encode())
    expect(bench.page.locator(".drop")).to_contain_text("Drop the file to open it")
    drag(bench, "drop", NAME, MODULE.encode())
    expect(bench.page.locator(".drop")).to_have_count(0)
    expect(bench.page.locator(".program-name")).to_have_text(["@smooth"])
    bench.settled()
    bench.idle()
    # The levels that there are, and no other.
    expect(bench.page.locator("[role=tab][data-tab='stablehlo']")).to_have_attribute("aria-selected", "true")
    expect(bench.page.locator("[role=tab][data-tab='jaxpr']")).to_have_count(0)
    expect(bench.page.locator("[data-opens='signature']")).to_have_count(0)
    # Search leads into the function that the loop calls.
    bench.page.keyboard.press("Control+k")
    bench.page.locator(".find input").fill("multiply")
    bench.page.keyboard.press("Enter")
    expect(bench.page.locator(".viewer g[data-eqn]", has_text="multiply").first).to_be_visible()
    bench.page.keyboard.press("Escape")
    # The values that the loop carries have the names of the text, and roles that were found in it.
    drawing = bench.page.locator(".viewer")
    for said in ("roles derived from the text", "%series", "xs", "%h", "carry", "%i", "counter", "%d", "const", "%out", "ys"):
        expect(drawing).to_contain_text(said)
    bench.select("while")
    assert "%last:5 = stablehlo.while" in lit_line(bench)


def test_a_place_of_the_text_lights_its_operation_and_a_mistake_its_line(open_page: Open) -> None:
    bench = open_page()
    bench.paste(MODULE)
    bench.page.locator(".cm-line", has_text="stablehlo.dynamic_slice").click()
    assert lit_line(bench).strip().startswith("%row = stablehlo.dynamic_slice")
    bench.paste(MODULE.replace("%kept, %x", "%lost, %x"))
    assert bench.status == "1 error"
    expect(bench.page.locator(".problem")).to_contain_text("use of undeclared SSA value name")
    expect(bench.page.locator(".problem")).to_contain_text("Line 28")


def test_bytes_stand_in_place_of_the_code_and_go_again(open_page: Open) -> None:
    import io

    from visualizer.tracing._compat_mlir import mlir_context

    module = mlir().Module.parse(MODULE, context=mlir_context())
    data = io.BytesIO()
    module.operation.write_bytecode(data)
    bench = open_page()
    bench.page.locator("input.chooser").set_input_files({"name": "smooth.mlirbc", "mimeType": "", "buffer": data.getvalue()})
    chip = bench.page.locator(".file-chip")
    expect(chip).to_contain_text("smooth.mlirbc")
    expect(bench.page.locator(".program-name")).to_have_text(["@smooth"])
    bench.tab("stablehlo-text")
    expect(bench.page.locator(".reader .cm-content")).to_contain_text("stablehlo.while")
    bench.page.get_by_role("button", name="Copy link").click()
    expect(bench.page.locator(".copy-link")).to_contain_text("A link cannot carry a file")
    # It outlives a reload, and gives way to the code that was there before.
    bench.page.reload()
    expect(chip).to_contain_text("smooth.mlirbc")
    bench.page.get_by_role("button", name="Close smooth.mlirbc").click()
    expect(chip).to_have_count(0)
    expect(bench.page.locator(".program-name").first).to_have_text("jax.grad(loss)")


def test_what_cannot_be_opened_says_why_and_takes_nothing_away(open_page: Open) -> None:
    bench = open_page()
    before = bench.source
    bench.page.locator("input.chooser").set_input_files({"name": "big.mlir", "mimeType": "", "buffer": b" " * 16_000_001})
    expect(bench.page.locator(".arrived")).to_contain_text("big.mlir has 16 MB; at most 16 MB can be opened")
    assert bench.source == before
    drag(bench, "drop", "picture.png", b"\x89PNG\r\n\x1a\n\0\0")
    bench.settled()
    expect(bench.page.locator(".problem")).to_contain_text("This is a picture, which cannot be read.")
