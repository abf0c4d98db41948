"""What JAX's primitives do with their operands and bodies: the role of each operand, and the wiring of each body.

Promises: needs an equation's params and types alone, as objects of JAX or as read from a printed text. Must never: import jax.
"""

from ._bodies import RULES as RULES
from ._roles import ROLES_OF as ROLES_OF
from ._roles import Roles as Roles
from ._roles import roles as roles
from ._roles import trips as trips
from ._wiring import Site as Site
from ._wiring import by_rule as by_rule
from ._wiring import straight as straight
from ._wiring import wire as wire
