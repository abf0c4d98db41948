"""The base of every wire model.

Promises: values are immutable, unknown fields are refused, and the JSON made from them is strict (RFC 8259: no NaN, no Infinity).
Must never: import jax, or anything else of this project.
"""

from pydantic import BaseModel, ConfigDict


class Wire(BaseModel):
    """A frozen value that travels as JSON. Python names that clash with keywords end in `_`; on the wire they do not."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
        protected_namespaces=(),
    )
