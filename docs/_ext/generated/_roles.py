"""The lines of the roles as the drawing has them: colours of both themes, dashes and ends.

Asked of the drawing by a process of its own (`python _roles.py`), for what builds a site may be forked later.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TRACE = ROOT / "frontend" / "test" / "traces" / "01_grad_of_scan.json"
ENDS = {"triangle": "filled triangle", "open": "hollow triangle", "diamond": "diamond"}


def looks() -> dict[str, dict[str, object]]:
    """By role: light and dark colour, dash, width, double, end, meaning. Runs in the process that is asked."""
    from visualizer.drawing import draw
    from visualizer.drawing._diagram import graph_of

    program = json.loads(TRACE.read_text("utf-8"))["programs"][0]
    dark = dict(re.findall(r"\.jv-wire-(\w+)\{stroke:(#\w+)\}", draw(program, theme="auto")))
    return {role: {**vars(look), "dark": dark.get(role, "")} for role, look in graph_of(program).roles.items()}


def roles() -> str:
    """A table with a sample of each line."""
    from ._table import code, table

    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    said = subprocess.run([sys.executable, __file__], check=True, capture_output=True, text=True, env=environment).stdout
    rows = []
    for role, look in json.loads(said).items():
        name, _, meaning = str(look["means"]).partition(": ")
        line = "double" if look["double"] else "solid" if not look["dash"] else "dotted" if role == "const" else "dashed"
        style = f"{line}, {ENDS[str(look['end'])]}"
        rows.append(
            [
                _sample(look),
                code(role) if role != "plain" else "(none)",
                meaning or name,
                style,
                f"{code(look['color'])} {code(look['dark'])}",
            ]
        )
    return table(["Line", "Role", "Meaning", "Drawn", "Light, dark"], rows)


def _sample(look: dict[str, object]) -> str:
    return "".join(
        f'<span class="only-{theme}">{_line(str(look[key]), look)}</span>' for theme, key in (("light", "color"), ("dark", "dark"))
    )


def _line(colour: str, look: dict[str, object]) -> str:
    dash = f' stroke-dasharray="{look["dash"]}"' if look["dash"] else ""
    cap = ' stroke-linecap="round"' if str(look["dash"]).startswith("0.1") else ""
    path = f'<path d="M2 7H46" fill="none" stroke="{colour}" stroke-width="{look["width"]}"{dash}{cap}/>'
    if look["double"]:
        path += '<path d="M2 7H46" fill="none" stroke="var(--color-background-primary)" stroke-width="1"/>'
    mark = {"triangle": "M46 3L54 7L46 11Z", "open": "M46 3L54 7L46 11Z", "diamond": "M46 7L50 3L54 7L50 11Z"}[str(look["end"])]
    fill = colour if look["end"] == "triangle" else "none"
    path += f'<path d="{mark}" fill="{fill}" stroke="{colour}" stroke-width="1"/>'
    return f'<svg width="56" height="14" role="img" aria-label="sample">{path}</svg>'


if __name__ == "__main__":
    sys.stdout.write(json.dumps(looks()))
