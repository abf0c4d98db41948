"""Several versions of JAX: installed under the person's data folder, each in an environment of its own.

Promises: what is half installed is never listed; two at work at once do not disturb each other; an environment holds JAX and what it needs,
never a copy of this package. Must never: import jax, or change anything outside its folder.
"""

from ._installed import Installed as Installed
from ._installed import default_version as default_version
from ._installed import find as find
from ._installed import installed as installed
from ._installed import named as named
from ._problem import RuntimeProblem as RuntimeProblem
from ._where import data_folder as data_folder
