"""MLIR modules that a person holds: text, bytecode, portable artefacts; read by the parser that jaxlib ships.

Promises: what is shown is what that parser read; what it refuses is refused in its words, at the line of the paste.
Must never: run anything of a module, or compile it.
"""

from ._reader import read_modules as read_modules
