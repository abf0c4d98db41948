"""A diagram in a file of its own, opened from the disk: drawn, walked and opened, with nothing from anywhere else."""

import json
from pathlib import Path

import pytest

from visualizer.drawing import Options, page_of
from visualizer.drawing._page import FILES
from visualizer.model import Program

TRACES = Path(__file__).resolve().parents[2] / "frontend" / "test" / "traces"
pytestmark = [pytest.mark.browser, pytest.mark.skipif(not (FILES / "embed.js").is_file(), reason="not built: make build")]


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a program as a file; fails on anything that the page says or asks for."""
    contexts = []
    troubles = []

    def open_it(change=lambda program: None, **options):
        found = json.loads((TRACES / "01_grad_of_scan.json").read_text())["programs"][0]
        change(found)
        file = tmp_path / f"{len(contexts)}.html"
        file.write_text(page_of(Program.model_validate(found), Options(**options)), encoding="utf-8")
        context = browser.new_context(viewport={"width": 1000, "height": 800}, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: (troubles.append(dialog.message), dialog.dismiss()))
        page.on(
            "request", lambda request: request.url.startswith("file:") or request.url.startswith("blob:") or troubles.append(request.url)
        )
        page.goto(file.as_uri())
        page.wait_for_selector(".viewer svg [data-key]", state="attached")
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert troubles == []


def test_it_is_drawn_says_what_is_pointed_at_and_closes(opened):
    page = opened()
    assert page.title() == "loss"
    page.locator(".viewer [data-key]", has_text="tanh").first.hover()
    assert page.locator(".embed-words").inner_text().startswith("tanh")
    page.get_by_role("button", name="Close all").click()
    page.wait_for_function("() => !document.querySelector('.viewer svg').textContent.includes('tanh')")
    page.get_by_role("button", name="Open all").click()
    page.wait_for_function("() => document.querySelector('.viewer svg').textContent.includes('tanh')")


def test_the_keyboard_walks_and_opens(opened):
    page = opened(open="none")
    assert "tanh" not in page.locator(".viewer svg").first.text_content()
    page.locator(".viewer [data-toggle]").first.click()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.viewer svg').textContent.includes('tanh')")


def test_its_levels_are_a_press_away(opened):
    def lowered(program):
        program["modules"] = json.loads((TRACES / "02_training_scan.json").read_text())["programs"][0]["modules"]

    page = opened(lowered)
    page.get_by_role("button", name="StableHLO").click()
    page.wait_for_function("() => document.querySelector('.viewer svg').textContent.includes('while')")
    assert page.get_by_role("button", name="StableHLO").get_attribute("aria-pressed") == "true"


def test_hostile_names_stay_text(opened):
    name = "</script><img src=x onerror=alert(1)><script>alert(2)</script>"

    def hostile(program):
        entry = program["jaxprs"][program["entry"]]
        program["name"] = name
        entry["vars"][entry["invars"][0]]["label"] = name

    page = opened(hostile)
    assert page.locator(".embed-title").inner_text() == name
    assert page.locator("img").count() == 0
