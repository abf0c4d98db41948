"""What jaxlib's own parser makes of a section of MLIR: the truth that ours is held against. Nothing of the visualizer is in here.

Promises: counts taken from the bindings alone, by another walk than ours; a refusal is its first message and line.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

Json = dict[str, Any]


def sections(text: str) -> list[tuple[int, str]]:
    """The sections of a split file, each with how many lines stand before it."""
    found: list[tuple[int, list[str]]] = [(0, [])]
    for number, line in enumerate(text.split("\n")):
        if line.startswith("// -----"):
            found.append((number, [""]))
        else:
            found[-1][1].append(line)
    return [(before, "\n".join(lines)) for before, lines in found]


@cache
def _context() -> Any:
    from jax._src.interpreters import mlir

    context = mlir.make_ir_context()
    context.enable_multithreading(False)
    context.allow_unregistered_dialects = True
    return context


def judged(text: str) -> Json:
    """`{"ops": ..., "functions": ..., ...}` of one section, or `{"refused": message, "line": number or null}`."""
    from jax._src.lib.mlir import ir

    try:
        module = ir.Module.parse(text, context=_context())
    except ir.MLIRError as error:
        first = error.error_diagnostics[0] if error.error_diagnostics else None
        place = re.match(r'loc\("-":(\d+):', str(first.location)) if first is not None else None
        return {"refused": str(first.message if first else error).strip(), "line": int(place[1]) if place else None}
    ops: Counter[str] = Counter()
    regions = blocks = deepest = 0

    def count(op: Any) -> Any:
        nonlocal regions, blocks, deepest
        ops[op.name] += 1
        regions += len(op.regions)
        blocks = max([blocks, *(len(region.blocks) for region in op.regions)])
        depth, around = len(op.regions) > 0, op.parent
        while around is not None:
            depth, around = depth + 1, around.operation.parent
        deepest = max(deepest, depth)
        return ir.WalkResult.ADVANCE

    module.operation.walk(count)
    functions = []
    for op in module.body.operations:
        if op.operation.name == "func.func":
            kind = op.operation.attributes["function_type"].value
            attributes = op.operation.attributes
            visibility = attributes["sym_visibility"].value if "sym_visibility" in attributes else "public"
            arguments = len(kind.inputs) if len(op.operation.regions[0].blocks) else -1
            functions.append([attributes["sym_name"].value, visibility, arguments, len(kind.results)])
    return {"ops": dict(ops), "functions": functions, "regions": regions, "blocks": blocks, "depth": int(deepest)}
