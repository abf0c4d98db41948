"""Opening what was made elsewhere: a report of many programs, a saved trace, a folder of dumps; and saving what is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from visualizer.model import Trace

SAVED = Path(__file__).parents[1] / "web" / "saved" / "schema1.json"
MODULE = """module @jit_{name} {{
  func.func public @main(%arg0: tensor<{n}xf32>) -> tensor<{n}xf32> {{
    {op}
    return %0 : tensor<{n}xf32>
  }}
}}
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    """Thirty programs of a script, as `run` reports them."""
    trace = json.loads(SAVED.read_text())
    (one,) = trace["programs"]
    programs = []
    for number in range(30):
        ran = {"calls": number, "traces": 1, "lowerings": 1, "compiles": 1, "trace_ms": 1.0, "lower_ms": 2.0, "compile_ms": 10.0 * number}
        ran |= {"at_ms": 0.0, "file": "train.py", "line": 3, "types": f"x: f32[{number}]", "why": "", "anew": 0}
        programs.append({**one, "id": f"p{number}", "name": "step" if number % 2 else "loss", "ran": ran})
    path = tmp_path_factory.mktemp("report") / "train.trace.json"
    path.write_text(json.dumps({**trace, "programs": programs, "title": "train.py", "text": "import jax  # the script"}))
    return path


def choose(bench, *files: Path) -> None:
    bench.page.locator("input.chooser").set_input_files([str(file) for file in files])
    name = files[0].name if len(files) == 1 else f"{len(files)} files"
    bench.page.locator(".file-chip", has_text=name).wait_for()
    bench.settled()


def test_a_report_opens_with_its_list(open_page, report):
    bench = open_page()
    page = bench.page
    choose(bench, report)
    panel = page.get_by_role("dialog", name="Programs")
    panel.locator(".program-rows .program-row").first.wait_for()
    assert panel.locator(".program-rows .program-row").count() == 30
    before = bench.source
    assert before.startswith("import jax")
    assert bench.focused("aria-label") == "Find a program"
    page.keyboard.type("step f32[1")
    page.get_by_label("Order").select_option("time")
    names = panel.locator(".program-rows .program-row").all_inner_texts()
    assert [next(line for line in text.split("\n") if "f32" in line) for text in names] == [f"x: f32[{n}]" for n in (19, 17, 15, 13, 11, 1)]
    page.get_by_label("Find a program").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    panel.wait_for(state="detached")
    bench.drawn()
    assert page.get_by_role("button", name="Programs: step, 18 of 30").is_visible()
    page.get_by_role("button", name="Next program").click()
    assert page.get_by_role("button", name="Programs: loss, 19 of 30").is_visible()
    # The text is only read, and nothing of it runs.
    page.locator(".editor .cm-content").click()
    page.keyboard.type("x")
    assert bench.source == before
    assert page.get_by_role("button", name="Trace a function…").count() == 0
    page.reload()
    panel.locator(".program-rows .program-row").first.wait_for()
    assert panel.locator(".program-rows .program-row").count() == 30
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Close train.trace.json").click()
    bench.settled()
    assert "lax.scan" in bench.source


def test_what_is_saved_opens_again(open_page, tmp_path):
    bench = open_page()
    page = bench.page
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the trace").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    saved = Trace.model_validate_json(path.read_text())
    assert saved.text is not None and "lax.scan" in saved.text
    names = page.locator(".programs [role=tab] .program-name").all_inner_texts()
    assert [program.name for program in saved.programs] == names
    boxes = page.locator(".viewer > svg [data-eqn]").count()
    page.reload()
    choose(bench, path)
    bench.drawn()
    assert page.locator(".viewer > svg [data-eqn]").count() == boxes
    assert bench.source.startswith(saved.text.split("\n")[0])


def test_a_saved_trace_is_read_by_the_page_and_sent_nowhere(open_page):
    bench = open_page()
    page = bench.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    choose(bench, SAVED)
    program = json.loads(SAVED.read_text())["programs"][0]
    expect(page.locator(".programs [role=tab] .program-name")).to_have_text([program["name"]])
    expect(bench.equation("scan").first).to_be_visible()
    # What opens it has the program in the worker, and a module, too.
    scan = bench.equation("scan").first
    scan.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".viewer [data-toggle][aria-expanded='true']").first).to_be_visible()
    page.get_by_role("tab", name="StableHLO", exact=True).click()
    expect(page.locator(".viewer svg text", has_text="while").first).to_be_visible()
    assert asked == []


def test_of_a_broken_trace_the_server_says_what_is_wrong(open_page, tmp_path):
    bench = open_page(forgive=("400",))
    page = bench.page
    trace = json.loads(SAVED.read_text())
    trace["programs"][0]["entry"] = "j99"
    broken = tmp_path / "broken.trace.json"
    broken.write_text(json.dumps(trace))
    choose(bench, broken)
    expect(page.locator("#details-panel")).to_contain_text("an entry that is not there")
    # What stood there stays, and the next file opens.
    choose(bench, SAVED)
    expect(page.locator("#details-panel")).not_to_contain_text("an entry that is not there")
    expect(bench.equation("scan").first).to_be_visible()


def test_of_a_module_that_is_read_later_the_server_says_what_is_wrong(open_page, tmp_path):
    bench = open_page(forgive=("400",))
    trace = json.loads(SAVED.read_text())
    (module,) = trace["programs"][0]["modules"].values()
    # Long enough to be read by itself.
    module["text"] += " " * 250_000
    good, broken = tmp_path / "good.trace.json", tmp_path / "broken.trace.json"
    good.write_text(json.dumps(trace, separators=(",", ":")))
    module["functions"][0]["region"]["blocks"][0]["ops"][0]["results"] = ["m999"]
    broken.write_text(json.dumps(trace, separators=(",", ":")))
    choose(bench, broken)
    expect(bench.page.locator("#details-panel")).to_contain_text("an op's result that is not there")
    choose(bench, good)
    expect(bench.page.locator("#details-panel")).not_to_contain_text("an op's result that is not there")
    bench.page.get_by_role("tab", name="StableHLO", exact=True).click()
    expect(bench.page.locator(".viewer svg text", has_text="while").first).to_be_visible()


def test_a_folder_is_dropped_and_becomes_one_trace(open_page, tmp_path):
    bench = open_page()
    page = bench.page
    files = {
        "jax_ir0001_jit_one_compile.mlir": MODULE.format(name="one", n=3, op="%0 = stablehlo.tanh %arg0 : tensor<3xf32>"),
        "jax_ir0002_jit_two_compile.mlir": MODULE.format(name="two", n=4, op="%0 = stablehlo.cosine %arg0 : tensor<4xf32>"),
        "jax_000001_one.jaxpr.html": "<html></html>",
        "bad.mlir": "module { oops",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    choose(bench, *sorted(tmp_path.iterdir()))
    names = page.locator(".programs [role=tab] .program-name")
    assert names.all_inner_texts() == ["jit_one", "jit_two"]
    names.nth(1).click()
    bench.idle()
    assert bench.equation("cosine").is_visible()
    bench.panel("problems")
    assert "bad.mlir, line 1" in page.locator("#details-panel").inner_text()
    bench.panel("notes")
    assert "1 file is not drawn: 1 with the same jaxprs as pages." in page.locator("#details-panel").inner_text()


def test_hostile_traces_are_text_or_refused(open_page, tmp_path):
    bench = open_page(forgive=("400",))
    page = bench.page
    trace = json.loads(SAVED.read_text())
    evil = "<img src=x onerror=alert(1)>"
    trace["programs"][0]["name"] = evil
    trace["title"] = trace["text"] = evil
    path = tmp_path / "evil.json"
    path.write_text(json.dumps(trace))
    choose(bench, path)
    assert page.locator(".programs .program-name").first.inner_text() == evil
    expect(page.locator(".editor .cm-content")).to_contain_text("<img src=x")
    # CodeMirror's own stand beside the hints.
    assert page.locator("img:not(.cm-widgetBuffer)").count() == 0
    trace["programs"][0]["entry"] = "j99"
    path.write_text(json.dumps(trace))
    choose(bench, path)
    page.get_by_text("This is not a trace that can be shown").first.wait_for()


def test_a_large_trace_that_is_closed_is_let_go_of(open_page, tmp_path):
    bench = open_page()
    page = bench.page
    cdp = page.context.new_cdp_session(page)

    def megabytes() -> float:
        cdp.send("HeapProfiler.collectGarbage")
        used = cdp.send("Runtime.getHeapUsage")
        return (used["usedSize"] + used["backingStorageSize"]) / 1e6

    trace = json.loads(SAVED.read_text())
    # Of what every level has: rows of the program, a text, and a letter that makes two bytes of each in memory.
    trace["programs"] = [{**trace["programs"][0], "id": f"p{number}", "name": f"λ{number}"} for number in range(2)]
    trace["programs"][0]["texts"]["jaxpr"]["text"] += "\n" + "# a long text\n" * 200_000
    path = tmp_path / "large.trace.json"
    path.write_text(json.dumps(trace, ensure_ascii=False))
    before = megabytes()
    choose(bench, path)
    expect(bench.equation("scan").first).to_be_visible()
    bench.settled()
    assert megabytes() > before + 8
    page.get_by_role("button", name="Close large.trace.json").click()
    expect(page.locator(".file-chip")).to_have_count(0)
    bench.settled()
    # What is let go of is told once the collector has been there.
    for _ in range(40):
        after = megabytes()
        if after < before + 4:
            break
        page.wait_for_timeout(250)
    assert after < before + 4
