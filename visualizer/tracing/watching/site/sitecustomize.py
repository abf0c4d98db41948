"""What Python imports before the script: it starts the watching, and takes itself out of the way.

Promises: the environment, `sys.path` and `sys.modules` are as they would be without it, and a sitecustomize of the person's own still runs.
Must never: keep the script from starting.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def _begin() -> None:
    here = Path(__file__).parent
    before = os.environ.pop("JAXPR_VISUALIZER_PYTHONPATH", None)
    if before is None:
        os.environ.pop("PYTHONPATH", None)
    else:
        os.environ["PYTHONPATH"] = before
    sys.path[:] = [entry for entry in sys.path if entry != str(here)]
    wishes = os.environ.pop("JAXPR_VISUALIZER_RUN", None)
    if wishes is not None:
        import importlib.util

        home = here.parent
        name = "_jaxpr_visualizer_run"
        spec = importlib.util.spec_from_file_location(name, home / "__init__.py", submodule_search_locations=[str(home)])
        if spec is not None and spec.loader is not None:
            package = importlib.util.module_from_spec(spec)
            sys.modules[name] = package
            spec.loader.exec_module(package)
            importlib.import_module(f"{name}._start").start(wishes)


try:
    _begin()
except Exception as error:  # the script runs, unwatched
    sys.stderr.write(f"jaxpr-visualizer: the script is not watched: {type(error).__name__}: {error}\n")

# The person's own, which this one stood in front of. Python wants one of the two in its place.
_ours = sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
except ImportError as error:
    if error.name != "sitecustomize":
        raise
    if _ours is not None:
        sys.modules["sitecustomize"] = _ours
