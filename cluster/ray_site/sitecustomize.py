"""Runs at the start of every Python process that Ray starts for hanpan; this folder is put on their PYTHONPATH.

Python imports a module of this name by itself, before anything else (docs.python.org, module `site`). It is the only
place from which these things can be done early enough:

- the process dies with the one that started it, the raylet, at once, and also while it is stopped as a spare;
- two packages that Ray imports everywhere, and that room processes never use, are loaded when they are first used:
  that saves 7 MiB and a quarter of the start's CPU time in every room.
"""

import sys
from types import ModuleType
from typing import Any

_RAY_SCRIPTS = ("default_worker.py", "dashboard/agent.py", "runtime_env/agent/main.py")
_SELDOM_USED = ("requests", "jsonschema")
_PR_SET_PDEATHSIG, _SIGKILL = 1, 9  # linux/prctl.h


def _die_with_parent() -> None:
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


class _Later(ModuleType):
    """Stands for a module until somebody wants something of it; then the real one takes its place.

    `importlib.util.LazyLoader` would load it at the very next ``import``, which asks every module for its ``__spec__``.
    """

    def __getattr__(self, wanted: str) -> Any:
        if wanted.startswith("__") and wanted != "__path__":  # a package's submodules are looked for on its path
            raise AttributeError(wanted)
        from importlib import import_module

        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), wanted)


if any(argument.endswith(_RAY_SCRIPTS) for argument in sys.orig_argv):
    _die_with_parent()
    for _name in _SELDOM_USED:
        sys.modules[_name] = _Later(_name)
