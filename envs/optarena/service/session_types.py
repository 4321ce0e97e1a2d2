"""Finding a session type by its name, ``module:class``, and loading what all its sessions share.

The package's own types are loaded once, in the zygote; those a user brings are loaded after the fork,
because nobody knows what their modules do when imported (start threads, open connections).
"""

from __future__ import annotations

import importlib
from functools import cache

from optarena.errors import UnknownName
from optarena.service.session import CompilationSession


def is_own(name: str) -> bool:
    """Whether a session type is part of this package."""
    return name.startswith("optarena.")


@cache
def load(name: str) -> type[CompilationSession]:
    """Import a session type and have it load what its sessions share.

    Raises:
        UnknownName: There is no such module, or no such class in it, or it is no session type.
    """
    module_name, _, class_name = name.partition(":")
    try:
        found = getattr(importlib.import_module(module_name), class_name)
    except ModuleNotFoundError as error:
        if error.name is None or not module_name.startswith(error.name):
            raise
        raise _unknown(name, str(error)) from error
    except (AttributeError, ValueError) as error:
        raise _unknown(name, str(error)) from error
    if not (isinstance(found, type) and issubclass(found, CompilationSession)):
        raise _unknown(name, "it is no subclass of optarena.service.CompilationSession")
    found.preload()
    return found


def _unknown(name: str, why: str) -> UnknownName:
    return UnknownName(
        f"Session type {name!r} cannot be found: {why}.",
        field="session_type",
        value=name,
        remedy="Give it as 'package.module:ClassName'.",
    )
