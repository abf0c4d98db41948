"""What a stranger may paste: the page shows what is wrong or what was traced, runs nothing of it, and goes on working."""

from __future__ import annotations

import pytest

GOOD = "import jax, jax.numpy as jnp\njax.make_jaxpr(jnp.sin)(1.0)"
MARKUP = "<img src=x onerror=alert(1)>"
NAMES = f"""import jax, jax.numpy as jnp
def f(d):
    with jax.named_scope("{MARKUP}"):
        return jnp.sin(d["{MARKUP}"])
f.__name__ = "<script>alert(1)</script>"
print("{MARKUP}")
jax.make_jaxpr(jax.jit(f))({{"{MARKUP}": 1.0}})
raise type("{MARKUP}", (Exception,), {{}})("{MARKUP}")
"""


@pytest.fixture
def bench(open_page):
    bench = open_page(forgive=("413",))
    bench.page.on("dialog", lambda dialog: pytest.fail(f"markup of the paste ran: {dialog.message}"))
    return bench


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("x = 1\ndef f(:\n", "invalid syntax", 2),
        ("x = 1\ny = bytearray(10_000_000_000)", "memory limit", 2),
        ("raise ValueError", "without a message", 1),
        ("import os\nos._exit(0)", "ended its own process", None),
        ("x = 1\n\0", "not text", None),
        ("Hello, what does scan do?", "invalid syntax", 1),
        ("raise ValueError('x' * 5_000_000)", "xxx", 1),
    ],
)
def test_each_problem_is_told_and_the_next_run_works(bench, source, message, line):
    bench.paste(source)
    assert bench.status == "1 error"
    problem = bench.page.locator(".problem")
    assert problem.count() == 1
    assert message in problem.locator(".what").inner_text()
    assert len(problem.inner_text().splitlines()) > 1
    if line is not None:
        assert problem.locator(".link").first.inner_text() == f"Line {line}"
    bench.paste(GOOD)
    assert bench.status == "Traced"
    assert bench.page.locator(".problem").count() == 0


def test_markup_in_names_is_text_everywhere(bench):
    bench.paste(NAMES)
    assert bench.page.locator(".problem .what").inner_text() == f"{MARKUP}: {MARKUP}"
    for name in ("jaxpr", "jaxpr-text", "stablehlo", "stablehlo-text"):
        bench.tab(name)
        bench.frames_pass()
    bench.panel("output")
    assert bench.page.locator(".details pre").inner_text().strip() == MARKUP
    assert bench.page.locator("img[onerror], .viewer script, .details img").count() == 0


def test_half_a_character_is_pasted_and_run(bench):
    bench.paste("x = 'PLACE'\n" + GOOD, wait=False)
    bench.settled()
    bench.page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.setData("text/plain", "x = 'a\\ud800b'\\nimport jax\\njax.make_jaxpr(lambda x: x + 1)(1.0)");
          const editor = document.querySelector(".editor .cm-content");
          document.getSelection().selectAllChildren(editor);
          editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }"""
    )
    bench.page.keyboard.press("Control+Enter")
    bench.settled()
    assert bench.status == "Traced"


def test_a_paste_that_is_too_large_is_the_only_problem(bench):
    bench.paste("raise ValueError")
    bench.paste("x = 1\n" * 900_000)
    assert bench.status == "No answer"
    assert bench.page.locator(".problem").count() == 1
    assert "has 5,400,000 characters; at most 1,000,000 can be read" in bench.page.locator(".problem").inner_text()
    bench.paste(GOOD)
    assert bench.status == "Traced"
