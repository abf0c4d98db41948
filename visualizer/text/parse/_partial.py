"""A print that could not be read to its end, as far as it was read.

Promises: only equations that were read; of the one that was being read, what stands before its operands, where a body of it has equations.
Must never: close what the text does not close as if it had been read.
"""

from __future__ import annotations

from collections.abc import Sequence

from ._nodes import Body, Inner


def as_far_as(opened: Sequence[Body]) -> Body | None:
    """The outermost of the bodies that are open, with all that was read inside it; None where it has no equation."""
    for body, inner in zip(reversed(opened[:-1]), reversed(opened[1:]), strict=True):
        if inner.eqns:
            _keep_pending(body, inner)
    return opened[0] if opened and opened[0].eqns else None


def _keep_pending(body: Body, inner: Body) -> None:
    """Take the equation that is being read into its body: its results, the params so far, and the jaxpr that broke off."""
    eqn = body.pending
    if eqn is None or not eqn.params or not isinstance(value := eqn.params[-1].value, list):
        return
    if not any(isinstance(piece, Inner) for piece in value):
        value.append(Inner("", inner))
    eqn.operands, eqn.pieces = [], None
    eqn.end = inner.eqns[-1].end
    body.types.update(eqn.results)
    body.eqns.append(eqn)
    body.pending = None
