"""What is called otherwise, or is not there at all, in the versions of JAX before 0.10: part of `compat`, which gives out its names.

Promises: each name means the same in every version from 0.4.38 to 0.10; what an older one cannot do is None, or said to be missing.
Must never: be asked by anything but `compat`.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from typing import Any

import jax
from jax._src import core as _core
from jax._src import pjit as _pjit
from jax._src.lib import xla_client as _xla_client

try:
    from jax._src.frozen_dict import FrozenDict as FrozenDict
except ImportError:  # up to 0.6: a dict among the params was a dict

    class FrozenDict:  # type: ignore[no-redef]
        """No param of this JAX is one."""

        _d: dict[Any, Any] = {}


VERSION: tuple[int, ...] = tuple(int(part) for part in re.findall(r"\d+", jax.__version__)[:3])
# Values on demand are written for the functions of one version; of an older one they are not tried, whatever its functions are called.
MAY_HOLD = VERSION >= (0, 10)
# Up to 0.6 a literal was printed as its value alone: `mul a 2.0`.
TYPED_LITERALS = hasattr(_core.Literal, "pretty_print")
# Up to 0.9 a jaxpr printed ahead had its name only in what follows it; before, it stood in place once more.
NAMED_BEFORE_PRINTED = VERSION >= (0, 10)
# Up to 0.9 a scan had its `linear` flags among the params.
SAYS_LINEAR = VERSION < (0, 10)
# Up to 0.9 the printer neither sorted sets nor masked addresses.
SORTS_SETS = VERSION >= (0, 10)

jit_primitive: Any = getattr(_pjit, "jit_p", None) or _pjit.pjit_p  # `pjit` up to 0.6
abstract_type: Any = getattr(_pjit, "create_meta_ty", None)  # from 0.8
typeof: Any = getattr(_core, "typeof", None) or _core.get_aval  # from 0.5


def enable_x64() -> Any:
    """`jax.enable_x64`: until 0.8 it was experimental."""
    if hasattr(jax, "enable_x64"):
        return jax.enable_x64
    from jax.experimental import enable_x64 as experimental

    return experimental


def export_type() -> Any:
    """`jax.export.Exported`; None while nobody has imported the module, which older versions load on demand alone."""
    return getattr(sys.modules.get("jax._src.export._export"), "Exported", None)


def printer(printed: bool) -> dict[str, bool] | None:
    """The wire's `Printer`, of a program that this JAX could print or not; None for the newest."""
    if NAMED_BEFORE_PRINTED and TYPED_LITERALS:
        return None
    return {"typed_literals": TYPED_LITERALS, "named_first": NAMED_BEFORE_PRINTED or not printed}


def literal_text(literal: Any) -> str:
    """A literal's value as JAX prints it, without its type: `2.0`; `[...]` for an array."""
    return str(literal.pretty_print(None, print_dtype=False)) if TYPED_LITERALS else str(literal)


def no_traceback() -> Any:
    """A traceback of no frame; None where this JAX makes none but of the running code."""
    try:
        return _xla_client.Traceback()
    except TypeError:  # up to 0.7
        return None


_SITES: dict[str, tuple[str | None, str, int]] = {}
_MOST_SITES = 4096


def function_site(jaxpr: Any) -> tuple[str | None, str, int]:
    """The file, name and first line of the Python function that a jaxpr was traced from."""
    info = jaxpr.debug_info
    if hasattr(type(info), "func_name"):  # of the class: an instance would take the text apart to answer
        # Each of these properties takes the same text apart, and a program asks for the same few functions again and again.
        known = _SITES.get(info.func_src_info)
        if known is None:
            if len(_SITES) > _MOST_SITES:
                _SITES.clear()
            known = _SITES[info.func_src_info] = info.func_filename, info.func_name, info.func_lineno or 0
        return known
    found = re.fullmatch(r"(.*?)(?: at (.*):(\d+))?", getattr(info, "func_src_info", None) or "", re.DOTALL)  # up to 0.6
    if found is None:
        return None, "", 0
    return found[2], found[1], int(found[3] or 0)


@lru_cache(4096)
def paths_of_results(paths: tuple[Any, ...]) -> tuple[str, ...]:
    """Paths of results that begin with the word `result`, which 0.4 left out."""
    return tuple(path if path is None or path.startswith("result") else f"result{path}" for path in paths)


def source_of(eqn: Any) -> Any:
    """What stands in place of an equation's traceback, where that is none of JAX's own."""
    found = eqn.source_info.traceback
    return None if found is None or isinstance(found, _xla_client.Traceback) else found


def mask_addresses(text: str) -> str:
    """A printed jaxpr with every address as the newest JAX prints it: ` at 0xXXXX`."""
    return text if " at 0x" not in text else re.sub(r"(?<= at 0x)[0-9a-fA-F]+", lambda found: "X" * len(found.group()), text)


def linear_flags(params: dict[str, Any], operands: int) -> tuple[bool, ...] | None:
    """What this JAX itself says of the operands of an equation: `linear` of a scan, up to 0.9. None where it says nothing."""
    given = params.get("linear") if SAYS_LINEAR else None
    if type(given) is tuple and len(given) == operands and all(type(flag) is bool for flag in given):
        return given
    return None
