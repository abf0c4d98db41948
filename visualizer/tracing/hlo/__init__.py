"""HLO, what XLA makes of a lowered program: texts that a person holds, and programs compiled on request.

Promises: what is shown is what XLA's own parser accepted, or what XLA itself printed. Must never: run a program.
"""

from ._compile import compile_program as compile_program
from ._reader import read_hlo_texts as read_hlo_texts
