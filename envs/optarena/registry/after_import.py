"""Calls functions when another package is imported, so that registering with it does not have to load it."""

from __future__ import annotations

import sys
from importlib import import_module, machinery, util
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType


def after_import(package: str, act: Callable[[], None]) -> None:
    """Call a function once a package is imported: now if it has been, or else at the end of its import.

    Functions of one package are called in the order in which they were given.
    """
    waiting = next(
        (one for one in sys.meta_path if isinstance(one, _Waiting) and one.package == package), None
    )
    if waiting is not None:
        waiting.acts.append(act)
    elif package in sys.modules:
        import_module(package)  # another thread may be in the middle of it
        act()
    else:
        sys.meta_path.insert(0, _Waiting(package, act))


class _Waiting(MetaPathFinder):
    """Finds one package as the other finders do, and calls the functions after the package was executed."""

    def __init__(self, package: str, act: Callable[[], None]) -> None:
        self.package = package
        self.acts = [act]
        self._is_asking = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> machinery.ModuleSpec | None:
        """The package's own spec, whose loader calls the functions at the end; None for all else."""
        del path, target
        if fullname != self.package or self._is_asking:
            return None
        self._is_asking = True
        try:
            spec = util.find_spec(fullname)
        finally:
            self._is_asking = False
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module
            # The loader belongs to this spec alone; a loader of another class would lose its other methods.
            spec.loader.exec_module = lambda module: self._execute(execute, module)  # type: ignore[method-assign] # as above
        return spec

    def _execute(self, execute: Callable[[ModuleType], None], module: ModuleType) -> None:
        execute(module)
        sys.meta_path.remove(self)
        for act in self.acts:
            act()
