"""Roles of the values that a loop carries, and how often it runs, from the text of the module alone.

A module that somebody pasted has no equation to take the roles from. What its loops show by themselves:

- `const`: the body hands it on as it is.
- `xs`: such a value that the body reads in slices only, one dimension at the counter, the others whole.
- `ys`: the body writes slices into it, in the same way, and does nothing else with it.
- `counter`: a whole number that the condition compares and to which the body adds a constant; the only such one.
- `carry`: everything else.

Promises: roles that were carried from an equation stay; those found here are marked as derived.
Must never: say xs, ys or counter where the pattern is not whole.

"""

from __future__ import annotations

from typing import Any

from ._flow import DEEPEST, Flow, Place, is_end, short_name

Dict = dict[str, Any]
# What an index that follows the counter may pass through: negative indices are wrapped, a reverse loop counts down.
_ARITHMETIC = frozenset(
    {"add", "subtract", "multiply", "negate", "convert", "reshape", "select", "compare", "clamp", "maximum", "minimum", "remainder"}
)
_OPPOSITE = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE", "NE": "NE", "EQ": "EQ"}


def derive_roles(module: Dict) -> None:
    """Fill in the roles of loops that have none, and the trips of every loop that says them."""
    if not any("while" in text for text in _names(module)):
        return
    flow = Flow(module)
    for wire in flow.loops:
        if len(wire["regions"]) == 2 and all(len(region["blocks"]) == 1 for region in wire["regions"]):
            _Loop(flow, wire).fill()


def _names(module: Dict) -> set[str]:
    waiting = [function["region"] for function in module["functions"]]
    names: set[str] = set()
    while waiting:
        for block in waiting.pop()["blocks"]:
            for op in block["ops"]:
                names.add(op["name"])
                waiting.extend(op["regions"])
    return names


class _Loop:
    def __init__(self, flow: Flow, wire: Dict) -> None:
        self._flow = flow
        self._wire = wire
        self._cond, self._body = (region["blocks"][0] for region in wire["regions"])
        self._ends = self._cond["ops"][-1:] + self._body["ops"][-1:]
        self._counter: int | None = None

    def fill(self) -> None:
        count = len(self._wire["operands"])
        fits = len(self._ends) == 2 and all(is_end(end) for end in self._ends)
        if not fits or any(
            len(part) != count for part in (self._cond["args"], self._body["args"], self._wire["results"], self._ends[1]["operands"])
        ):
            return
        self._counter = self._counted()
        trips = self._trips()
        if trips is not None:
            self._wire["trips"] = trips
        values = self._flow.values
        if any(values[result]["role"] is not None for result in self._wire["results"]):
            return
        roles: dict[str, str] = {}
        for index in range(count):
            if "token" in str(values[self._wire["results"][index]]["type"]):
                continue
            roles[self._body["args"][index]] = self._role(index)
            self._set(index, roles[self._body["args"][index]])
        for op in self._body["ops"]:
            if op["callee"] is not None and short_name(op["name"]) == "call":
                self._call(op, roles)

    def _set(self, index: int, role: str) -> None:
        self._wire["operands"][index]["role"] = role
        for value in (self._wire["results"][index], self._cond["args"][index], self._body["args"][index]):
            self._flow.values[value]["role"] = role
            self._flow.values[value]["derived"] = True

    def _call(self, call: Dict, roles: dict[str, str]) -> None:
        """The call that is the step itself: what it takes of the loop's state, a row of xs, what it gives to the next step."""
        if any(roles.get(operand["value"]) in ("xs", "ys", "counter") for operand in call["operands"]):
            return
        for operand in call["operands"]:
            role = roles.get(operand["value"]) or ("xs" if self._is_row(operand["value"], roles) else None)
            operand["role"] = operand["role"] or role
        for index, arg in enumerate(self._body["args"]):
            if roles.get(arg) == "carry" and self._next(index) in call["results"]:
                self._flow.values[self._next(index)].update(role="carry", derived=True)

    def _is_row(self, value: str, roles: dict[str, str]) -> bool:
        place = Place(value)
        for _ in range(DEEPEST):
            made = self._flow.maker(place)
            if made is None:
                return False
            op, place = made
            if short_name(op["name"]) == "dynamic_slice":
                return roles.get(self._flow.operand(place, op, 0).value) == "xs"
            if short_name(op["name"]) not in ("reshape", "broadcast_in_dim"):
                return False
            place = self._flow.operand(place, op, 0)
        return False

    def _role(self, index: int) -> str:
        if index == self._counter:
            return "counter"
        if self._flow.outward(Place(self._next(index))) == Place(self._body["args"][index]):
            return "xs" if self._sliced(index) else "const"
        return "ys" if self._stacked(index) else "carry"

    def _next(self, index: int) -> str:
        return str(self._ends[1]["operands"][index]["value"])

    # --- the counter

    def _counted(self) -> int | None:
        """The one value that the condition compares and the body steps by a constant."""
        found = {index for index, *_ in self._compared() if self._step(index) is not None}
        return found.pop() if len(found) == 1 else None

    def _compared(self) -> list[tuple[int, str, Place, bool]]:
        """What the condition compares with what: index, direction, limit, and whether that is all it asks."""
        found: list[tuple[int, str, Place, bool]] = []
        waiting = [Place(self._ends[0]["operands"][0]["value"])]
        whole = True
        for place in waiting:
            made = self._flow.maker(place)
            if made is None or len(waiting) > DEEPEST:
                continue
            op, place = made
            operands = [self._flow.operand(place, op, at) for at in range(len(op["operands"]))]
            name = short_name(op["name"])
            if name == "and":
                whole = False
                waiting.extend(operands)
            elif name == "compare" and len(operands) == 2:
                direction = (
                    str(op["attributes"].get("comparison_direction", op["attributes"].get("direction", ""))).rstrip(">").split(" ")[-1]
                )
                left, right = operands
                for one, other, way in ((left, right, direction), (right, left, _OPPOSITE.get(direction, ""))):
                    if one.value in self._cond["args"] and not one.calls:
                        found.append((self._cond["args"].index(one.value), way, other, whole))
        return found

    def _step(self, index: int) -> int | None:
        """The constant that is added to a whole number in each step, not 0."""
        arg = Place(self._body["args"][index])
        if not self._flow.is_index(arg.value):
            return None
        made = self._flow.maker(Place(self._next(index)))
        if made is None:
            return None
        op, place = made
        name = short_name(op["name"])
        if name not in ("add", "subtract"):
            return None
        left, right = (self._flow.operand(place, op, at) for at in range(2))
        if left == arg:
            step = self._flow.constant(right)
        elif right == arg and name == "add":
            step = self._flow.constant(left)
        else:
            return None
        return None if not step else step if name == "add" else -step

    def _trips(self) -> int | None:
        """How often the body runs, where the counter starts, steps and ends at constants and nothing else ends the loop."""
        compared = self._compared()
        if self._counter is None or len(compared) != 1:
            return None
        index, direction, limit, whole = compared[0]
        start = self._flow.constant(Place(self._wire["operands"][index]["value"]))
        stop = self._flow.constant(self._outside(limit))
        step = self._step(index)
        if not whole or index != self._counter or start is None or stop is None or step is None:
            return None
        if direction in ("LE", "GE"):
            stop += 1 if direction == "LE" else -1
        if direction == "NE":
            return (stop - start) // step if (stop - start) % step == 0 and (stop - start) // step >= 0 else None
        if (direction in ("LT", "LE")) != (step > 0) or direction not in ("LT", "LE", "GT", "GE"):
            return None
        return max(0, -((start - stop) // step))

    def _outside(self, place: Place) -> Place:
        """What a value of the condition that never changes was before the loop."""
        if place.calls or place.value not in self._cond["args"]:
            return place
        index = self._cond["args"].index(place.value)
        same = self._next(index) == self._body["args"][index]
        return Place(self._wire["operands"][index]["value"]) if same else place

    # --- slices

    def _sliced(self, index: int) -> bool:
        """Whether the body reads it in slices at the counter, and nothing else does."""
        if any(True for _ in self._flow.readers(Place(self._cond["args"][index]))):
            return False
        found = False
        for op, at, calls in self._flow.readers(Place(self._body["args"][index])):
            if op is self._ends[1] and at == index:
                continue
            if short_name(op["name"]) != "dynamic_slice" or at != 0 or not self._at_counter(op, 1, op["results"][0], calls):
                return False
            found = True
        return found

    def _stacked(self, index: int) -> bool:
        """Whether the body writes slices into it at the counter, and does nothing else with it."""
        if any(True for _ in self._flow.readers(Place(self._cond["args"][index]))):
            return False
        arg = Place(self._body["args"][index])
        made = self._flow.maker(Place(self._next(index)))
        if made is None:
            return False
        op, place = made
        if short_name(op["name"]) != "dynamic_update_slice" or self._flow.operand(place, op, 0) != arg:
            return False
        if any(reader is not op or at != 0 for reader, at, _ in self._flow.readers(arg)):
            return False
        return self._at_counter(op, 2, op["operands"][1]["value"], place.calls)

    def _at_counter(self, op: Dict, first: int, part: str, calls: tuple[str, ...]) -> bool:
        """Whether one index follows the counter, and the part is as large as the whole in every other dimension."""
        whole, own = self._flow.shape(op["operands"][0]["value"]), self._flow.shape(part)
        indices = [self._flow.outward(Place(operand["value"], calls)) for operand in op["operands"][first:]]
        if whole is None or own is None or not len(whole) == len(own) == len(indices):
            return False
        along = [at for at, place in enumerate(indices) if self._flow.constant(place) != 0 or whole[at] != own[at]]
        return len(along) == 1 and self._follows(indices[along[0]])

    def _follows(self, place: Place) -> bool:
        """Whether a value is made from the counter and constants alone."""
        if self._counter is None:
            return False
        waiting, seen, found = [place], {place}, False
        for each in waiting:
            if each == Place(self._body["args"][self._counter]):
                found = True
                continue
            made = self._flow.maker(each)
            if made is None or len(seen) > 4 * DEEPEST:
                return False
            op, at = made
            name = short_name(op["name"])
            if name == "constant":
                continue
            if name not in _ARITHMETIC:
                return False
            for index in range(len(op["operands"])):
                operand = self._flow.operand(at, op, index)
                if operand not in seen:
                    seen.add(operand)
                    waiting.append(operand)
        return found
