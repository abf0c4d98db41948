"""A saved trace that the page reads by itself is one that the server's gate takes, and becomes what the gate makes of it.

The page's own check (`frontend/src/model/check`) runs in Node over traces that were changed at random places: what it takes, the gate has
to take; what it does not take goes to the server, so it may be stricter, but not with what is sound.
"""

from __future__ import annotations

import copy
import json
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from visualizer.web.opening import Refused, checked

ROOT = Path(__file__).parents[3]
FRONTEND = ROOT / "frontend"
ROLLDOWN = FRONTEND / "node_modules" / ".bin" / "rolldown"
TRACES = [
    ROOT / "tests" / "web" / "saved" / "schema1.json",
    *(FRONTEND / "test" / "traces" / f"{name}.json" for name in ("02_training_scan", "06_branches", "10_rules_of_your_own", "frame_refs")),
]
SMALL = [None, True, "", "zz", "e0", "v1", -1, 0, 1.5, 2**40, 10**400, [], {}, [[]], {"": {}}, "__proto__"]
READ = """
import { readFileSync } from "node:fs";
import { readTrace } from "./check.mjs";
const read = (line) => {
  const text = JSON.parse(line);
  const [whole, halved] = [JSON.stringify(readTrace(text)), JSON.stringify(readTrace(text, 0))];
  if (halved !== "null" && whole !== halved) throw new Error(`read by halves it is another: ${text.slice(0, 300)}`);
  return halved;
};
process.stdout.write(readFileSync(0, "utf8").trimEnd().split("\\n").map(read).join("\\n"));
"""
pytestmark = pytest.mark.skipif(
    not ROLLDOWN.exists() or shutil.which("node") is None, reason="the front end's tools are not installed: make .stamps/npm"
)


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[str]], list[Any]]:
    folder = tmp_path_factory.mktemp("check")
    source = FRONTEND / "src" / "model" / "check" / "index.ts"
    subprocess.run([ROLLDOWN, source, "-o", folder / "check.mjs", "--format", "esm"], cwd=FRONTEND, check=True, capture_output=True)
    (folder / "read.mjs").write_text(READ)

    def run(texts: list[str]) -> list[Any]:
        lines = "\n".join(json.dumps(text) for text in texts)
        done = subprocess.run(["node", folder / "read.mjs"], input=lines, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.split("\n")]

    return run


def gated(text: str) -> Any:
    """What the server makes of it, or null."""
    try:
        return checked(text.encode("utf-8", "surrogatepass"))
    except Refused:
        return None


def written(trace: Any) -> str:
    """As the command and the page save it."""
    return json.dumps(trace, ensure_ascii=False, separators=(",", ":"))


def changed(trace: Any, rng: random.Random) -> Any:
    """One thing of it is gone, another one, or there twice; most often something near the leaves."""
    made = copy.deepcopy(trace)
    place = made
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return made
        key = rng.choice(keys)
        inner = place[key]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.93:
            place = inner
            continue
        what = rng.random()
        if what < 0.2:
            del place[key]
        elif what < 0.4 and isinstance(place, dict):
            place[rng.choice(["new", "e99", "j99", "v99", *list(place)])] = place.pop(key)
        elif what < 0.5 and isinstance(place, list):
            place.insert(key, copy.deepcopy(inner))
        elif what < 0.9 and isinstance(inner, int) and not isinstance(inner, bool):
            place[key] = inner + rng.choice([-1, 1, 7, 1000])
        elif what < 0.9 and isinstance(inner, str):
            place[key] = rng.choice(["zz", "e0", "e1", "v1", "v7", "j0", "a name", inner + "x"])
        else:
            place[key] = rng.choice(SMALL)
        return made


@pytest.mark.parametrize("file", TRACES, ids=lambda file: file.stem)
def test_what_the_page_takes_the_gate_takes(read, file):
    trace = json.loads(file.read_text("utf-8"))
    rng = random.Random(file.stem)
    texts = [written(trace)]
    texts += [written(changed(trace, rng)) for _ in range(max(40, 4_000_000 // len(texts[0])))][:250]
    found = read(texts)
    assert found[0] is not None and found[0] == gated(texts[0])
    taken = 0
    for text, here in zip(texts, found, strict=True):
        there = gated(text)
        if here is None:
            continue
        taken += 1
        assert there is not None, f"taken, but {text[:300]}"
        assert here == there
    # Names, places and texts may change; most other things may not.
    assert 3 <= taken < 0.8 * len(texts)


def test_what_is_no_trace_is_left_to_the_server(read):
    good = TRACES[0].read_text("utf-8")
    trace = json.loads(good)
    older = copy.deepcopy(trace)
    for jaxpr in older["programs"][0]["jaxprs"].values():
        for eqn in jaxpr["eqns"]:
            eqn.pop("call", None)
            eqn.pop("where", None)
    texts = [
        good[:-9],
        '{"schema": 1, "programs": [' + "[" * 100_000,
        json.dumps({**trace, "schema": 2}),
        json.dumps({**trace, "notes": ["half a character: \ud800"]}),
        json.dumps({**trace, "timings": {"__proto__": 1.0}}),
        json.dumps({**trace, "timings": {"run": float("nan")}}),
        json.dumps({**trace, "newer": 1}),
        json.dumps(older),
        "\ufeff" + json.dumps(trace),
    ]
    found = read(texts)
    assert found[:7] == [None] * 7
    # What an earlier version had no field for has its default, as on the server.
    assert found[7:] == [gated(texts[7]), gated(good)]
    assert found[7] is not None


def test_nesting_and_packing_end_as_on_the_server(read):
    """Bodies that contain themselves, or go down too far, and answers that are not whole."""
    (program, *_) = json.loads(TRACES[1].read_text("utf-8"))["programs"]
    base = json.loads(TRACES[1].read_text("utf-8"))
    name, jaxpr = next((name, jaxpr) for name, jaxpr in program["jaxprs"].items() if any(eqn["nested"] for eqn in jaxpr["eqns"]))
    around = copy.deepcopy(program)
    eqn = next(eqn for eqn in around["jaxprs"][name]["eqns"] if eqn["nested"])
    body = around["jaxprs"][eqn["nested"][0]["jaxpr"]]
    body["eqns"].append({**copy.deepcopy(eqn), "id": "e9999", "operands": [], "results": [], "effects": []})
    packed = copy.deepcopy(program)
    packed["jaxprs"][name]["packed"] = {"eqns": "", "vars": "", "names": "", "count": 0}
    part = copy.deepcopy(program)
    part["left_out"] = [{"part": "p", "kind": "text", "level": "jaxpr", "jaxprs": [], "eqns": 0, "bytes": 1}]
    deep = copy.deepcopy(program)
    call = {"param": "jaxpr", "label": "", "inputs": [], "outputs": [], "consts": [], "finals": []}
    empty = {**copy.deepcopy(jaxpr), "constvars": [], "consts": {}, "invars": [], "outvars": [], "vars": {}, "bound": {}, "eqns": []}
    for number in range(205):
        inner = {**copy.deepcopy(eqn), "id": f"e{20_000 + number}", "operands": [], "results": [], "effects": [], "trips": None}
        inner["nested"] = [{**call, "jaxpr": f"deep{number + 1}"}] if number < 204 else []
        deep["jaxprs"][f"deep{number}"] = {**empty, "id": f"deep{number}", "eqns": [inner]}
    shallow = copy.deepcopy(deep)
    shallow["jaxprs"]["deep100"]["eqns"][0]["nested"] = []
    texts = [json.dumps({**base, "programs": [made]}) for made in (around, packed, part, deep, shallow)]
    found = read(texts)
    assert found[:4] == [None] * 4
    assert [gated(text) is None for text in texts] == [True, True, True, True, False]
    assert found[4] == gated(texts[4])


def test_modules_are_read_by_themselves_where_it_is_certain_whose_they_are(read):
    """Names that are there twice, or stand elsewhere, and pieces that are no JSON: what is made of them is what the whole says."""
    trace = json.loads(TRACES[0].read_text("utf-8"))
    (program,) = trace["programs"]
    good = written(trace)
    modules = f',"modules":{written(program["modules"])}'
    assert modules + ',"links":{' in good
    another = {**program, "id": "p1"}
    two = written({**trace, "programs": [program, another]})
    texts = [
        good,
        two,
        good.replace(modules, f"{modules}{modules}"),
        two.replace(modules, modules.replace(":", ": ", 1), 1),
        good.replace(modules, ',"modules":{}'),
        good.replace(modules, ',"modules":{"stablehlo":{"dialect":"}'),
        good.replace(modules, ',"modules":0'),
        good.replace(modules, modules.replace('"name"', '"nome"', 1)),
        good.replace(modules, modules.replace('{"stablehlo":', '{"other":', 1)),
        written({**trace, "title": ',"modules":{"stablehlo":1},"links":{'}),
    ]
    found = read(texts)
    assert [each is None for each in found] == [False, False, True, False, False, True, True, True, True, False]
    assert [each for each in found if each is not None] == [
        gated(text) for text, each in zip(texts, found, strict=True) if each is not None
    ]
