"""What the documentation says of the page is there: its keys, and the controls that it names."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
pytestmark = pytest.mark.browser


SHEET = """() => {
  const found = {};
  let title = "In the editor";
  const words = (node) => {
    if (node.nodeName === "KBD" || node.nodeName === "CODE") return "`" + node.textContent + "`";
    if (node.nodeType === Node.TEXT_NODE) return node.textContent.replace(/\\s+/g, " ");
    return [...node.childNodes].map(words).join(node.nodeName === "DT" && node.querySelector("kbd") ? " " : "");
  };
  for (const node of document.querySelector("dialog.sheet").children) {
    if (node.nodeName === "H3") title = node.textContent;
    if (node.nodeName !== "DL") continue;
    const rows = found[title] = [];
    for (const child of node.children) {
      const said = words(child).trim();
      if (child.nodeName === "DT") rows.push([child.className === "mono" ? "`" + said + "`" : said, ""]);
      else rows.at(-1)[1] = said;
    }
  }
  return found;
}"""


def test_the_table_of_keys_is_that_of_the_help_sheet(open_page):
    """It is read off the source when the site is built; here the sheet itself is read."""
    sys.path.insert(0, str(DOCS / "_ext"))
    try:
        from generated import _keys
    finally:
        sys.path.pop(0)
    page = open_page().page
    page.locator("header").get_by_role("button", name=re.compile("keys|help", re.IGNORECASE)).click()
    page.wait_for_selector("dialog.sheet[open] dl")
    assert page.evaluate(SHEET) == _keys.sections()


def test_the_lessons_show_what_they_say(open_page):
    """The words that the tutorial explains, on the programs that it pastes."""
    bench = open_page(width=1280)
    bench.paste((DOCS / "tutorial/smooth.py").read_text("utf-8"))
    bench.select("scan")
    told = bench.page.locator(".details").filter(has_text="num_consts=1").first
    for words in ("claims the first operand", "claims the second operand", "sliced along the leading axis"):
        assert words in told.inner_text()
    for control in ("Depends on", "Trace a function", "Transform", "Share…"):
        assert bench.page.get_by_role("button", name=re.compile(control)).count() > 0, control
    for level in ("Jaxpr", "StableHLO", "HLO", "Side by side"):
        assert bench.page.get_by_role("tab", name=level, exact=True).count() == 1, level
    bench.paste((DOCS / "tutorial/miss.py").read_text("utf-8"))
    bench.page.locator(".viewer svg text", has_text="1 residual").wait_for()
    said = " ".join(bench.page.locator(".viewer svg text").all_text_contents())
    for words in ("forward", "backward", "1 residual", "4 B × 8 = 32 B", "reverse"):
        assert words in said, words
