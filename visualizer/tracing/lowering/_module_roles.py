"""Roles of the values that a loop of the module carries: those of the equation it was lowered from.

JAX lowers a scan to a `while` that carries its state in an order of its own, with a counter of its own, so nothing is read off positions.
The body of the scan is one call in the loop's body, and its operands and results are the scan's in order; every carried value is followed
from there.

Promises: a role is set only where the module itself shows it; anything else stays null.
Must never: guess.

"""

from __future__ import annotations

from typing import Any

from visualizer.tracing.mlir._module import SerializedModule

from ._links import Owners

Dict = dict[str, Any]
# What a slice of xs passes through on its way into the body, and a result of it on its way into ys; the data is always the first operand.
_VIEWS = frozenset({
    "stablehlo.dynamic_slice", "stablehlo.slice", "stablehlo.reshape", "stablehlo.transpose", "stablehlo.broadcast_in_dim", "func.call",
})  # fmt: skip
_UPDATES = frozenset({"stablehlo.dynamic_update_slice", "func.call"})
MAX_STEPS = 8


def set_roles(module: SerializedModule, owners: Owners, eqns: dict[str, Dict]) -> None:
    """Fill in the roles of a serialised module's values and operands. `eqns` are the wire equations by id."""
    _Roles(module, owners, eqns).run()


class _Roles:
    def __init__(self, module: SerializedModule, owners: Owners, eqns: dict[str, Dict]) -> None:
        self._module = module
        self._owners = owners
        self._eqns = eqns
        self._values: dict[str, Dict] = module.module["values"]
        self._maker: dict[str, Dict] = {result: wire for _, wire in module.ops for result in wire["results"]}
        self._args = {function["name"]: function["args"] for function in module.module["functions"]}

    def run(self) -> None:
        """Every loop and branch whose operation carries the tag of an equation."""
        for _, wire in self._module.ops:
            eqn = self._eqn(wire)
            if eqn is None:
                continue
            if wire["name"] == "stablehlo.while" and eqn["primitive"] == "while":
                self._while(wire, eqn)
            elif wire["name"] == "stablehlo.while" and eqn["primitive"] == "scan":
                self._scan(wire, eqn)
            elif wire["name"] in ("stablehlo.case", "stablehlo.if") and eqn["primitive"] == "cond":
                wire["operands"][0]["role"] = "index"
                for result in wire["results"]:
                    self._values[result]["role"] = "result"

    def _eqn(self, wire: Dict) -> Dict | None:
        own = self._owners.of.get(wire["id"], ())
        return self._eqns.get(own[0]) if len(own) == 1 and wire["id"] in self._owners.name else None

    def _while(self, wire: Dict, eqn: Dict) -> None:
        """A while equation lowers to a while of the same operands in the same order, behind the tokens of its effects."""
        roles = [operand["role"] for operand in eqn["operands"]]
        tokens = len(wire["operands"]) - len(roles)
        if tokens < 0 or any("token" not in self._type(operand["value"]) for operand in wire["operands"][:tokens]):
            return
        if any("token" in self._type(operand["value"]) for operand in wire["operands"][tokens:]):
            return
        self._carry(wire, dict(enumerate(roles, tokens)))

    def _scan(self, wire: Dict, eqn: Dict) -> None:
        body = wire["regions"][1]["blocks"][0]
        place = {value: index for index, value in enumerate(body["args"])}
        calls = [op for op in body["ops"] if op["callee"] is not None and self._is_body(op, eqn)]
        if not calls:
            return
        inputs = [operand["role"] for operand in eqn["operands"]]
        outputs = [result["role"] for result in eqn["results"]]
        roles: dict[int, str] = {}
        for call in calls:
            self._call(call, inputs, outputs)
            for operand, role in zip(call["operands"], inputs, strict=True):
                source = self._source(operand["value"], place, calls) if role == "xs" else operand["value"]
                if source in place and (role != "carry" or call is calls[0]):
                    roles.setdefault(place[source], role)
        made = {result for call in calls for result, role in zip(call["results"], outputs, strict=True) if role == "ys"}
        for index, operand in enumerate(body["ops"][-1]["operands"]):
            if self._updates(operand["value"], body["args"][index], made):
                roles.setdefault(index, "ys")
        counter = self._counter(wire)
        if counter is not None:
            roles.setdefault(counter, "counter")
        self._carry(wire, roles)

    def _is_body(self, op: Dict, eqn: Dict) -> bool:
        """The call of the scan's own body: owned by the scan, made by `closed_call`, operands and results one for one."""
        own = self._owners.of.get(op["id"], ())
        return (
            own == (eqn["id"],)
            and self._owners.name.get(op["id"], "").rstrip(":").endswith("closed_call")
            and len(op["operands"]) == len(eqn["operands"])
            and len(op["results"]) == len(eqn["results"])
        )

    def _call(self, call: Dict, inputs: list[str], outputs: list[str]) -> None:
        for operand, role in zip(call["operands"], inputs, strict=True):
            operand["role"] = role
        for result, role in zip(call["results"], outputs, strict=True):
            self._values[result]["role"] = role
        for arg, role in zip(self._args.get(call["callee"], ()), inputs, strict=False):
            self._values[arg]["role"] = role

    def _source(self, value: str, place: dict[str, int], calls: list[Dict]) -> str:
        """The carried value that `value` is a slice of."""
        for _ in range(MAX_STEPS):
            maker = self._maker.get(value)
            if value in place or maker is None or maker in calls or maker["name"] not in _VIEWS or not maker["operands"]:
                break
            value = maker["operands"][0]["value"]
        return value

    def _updates(self, value: str, arg: str, made: set[str]) -> bool:
        """Whether `value` is the carried buffer `arg` with a result of the body written into it."""
        maker = self._maker.get(value)
        if maker is None or maker["name"] not in _UPDATES or len(maker["operands"]) < 2 or maker["operands"][0]["value"] != arg:
            return False
        return self._reaches(maker["operands"][1]["value"], made)

    def _reaches(self, value: str, made: set[str]) -> bool:
        for _ in range(MAX_STEPS):
            if value in made:
                return True
            maker = self._maker.get(value)
            if maker is None or not maker["operands"]:
                return False
            if maker["name"] == "stablehlo.concatenate":
                return all(self._reaches(operand["value"], made) for operand in maker["operands"])
            if maker["name"] not in _VIEWS:
                return False
            value = maker["operands"][0]["value"]
        return False

    def _counter(self, wire: Dict) -> int | None:
        """The carried value that the condition of the loop compares with a constant, when it does nothing else."""
        block = wire["regions"][0]["blocks"][0]
        place = {value: index for index, value in enumerate(block["args"])}
        compares = [op for op in block["ops"] if op["name"] == "stablehlo.compare"]
        if len(compares) != 1 or compares[0]["results"][0] != block["ops"][-1]["operands"][0]["value"]:
            return None
        return place.get(compares[0]["operands"][0]["value"])

    def _carry(self, wire: Dict, roles: dict[int, str]) -> None:
        """Give the operands, the results and the blocks' arguments of a while their roles, by position."""
        for index, role in roles.items():
            wire["operands"][index]["role"] = role
            self._values[wire["results"][index]]["role"] = role
            for region in wire["regions"]:
                self._values[region["blocks"][0]["args"][index]]["role"] = role

    def _type(self, value: str) -> str:
        return str(self._values[value]["type"])
