"""Loading plug-ins: Python modules that call ``optarena.register`` when they are imported.

Modules named in ``$OPTARENA_PLUGINS`` are imported at the end of ``import optarena``, by clients, servers and
workers alike. If one fails, ``import optarena`` fails, so that no process continues with half of its
registrations; the command ``optarena`` ends with one line.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena.documents.texts import one_line
from optarena.errors import InvalidInput
from optarena.logs import debug_level

if TYPE_CHECKING:
    from collections.abc import Iterable

PLUGINS_VARIABLE: Final = "OPTARENA_PLUGINS"
_COMMAND: Final = "optarena"
_COMMAND_FAILED: Final = 2
_SHOWN: Final = 500


def load_modules(names: Iterable[str]) -> None:
    """Import modules that register themselves."""
    for name in names:
        importlib.import_module(name)


def load_plugins() -> None:
    """Import the modules that ``$OPTARENA_PLUGINS`` names, separated by commas; each registers itself.

    Raises:
        InvalidInput: One of them cannot be imported; the message names the variable, module, cause and place.
        SystemExit: The same for the command ``optarena``, after one line on standard error: it is imported
            before it can handle errors.
    """
    for name in os.environ.get(PLUGINS_VARIABLE, "").split(","):
        module = name.strip()
        if not module:
            continue
        try:
            importlib.import_module(module)
        except KeyboardInterrupt:
            raise
        except BaseException as cause:  # SystemExit too: a plug-in may not end the process silently
            error = _unusable(module, cause)
            if _is_command() and not debug_level():
                sys.stderr.write(f"error: {error}\n")
                raise SystemExit(_COMMAND_FAILED) from cause
            raise error from cause


def _is_command() -> bool:
    """Whether this process is the command ``optarena``, also as ``python -m optarena``."""
    by_name = Path(sys.argv[0] if sys.argv else "").stem == _COMMAND
    return by_name or ("-m", _COMMAND) in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)


def _unusable(module: str, cause: BaseException) -> InvalidInput:
    lines = traceback.format_exception_only(cause)
    told = lines[-1 if isinstance(cause, SyntaxError) else 0].rstrip(". \n").removeprefix("optarena.errors.")
    place = _place(module, cause)
    return InvalidInput(
        f"${PLUGINS_VARIABLE} names {module!r}, which cannot be imported{place}: {one_line(told[:_SHOWN])}.",
        field=PLUGINS_VARIABLE,
        value=module,
        remedy="Correct the variable or the module, or put the module where Python finds it (PYTHONPATH).",
    )


def _place(module: str, cause: BaseException) -> str:
    """Where in the plug-in's own code it failed, if known."""
    if isinstance(cause, SyntaxError) and cause.filename:
        return f" ({cause.filename}:{cause.lineno})"
    package = module.partition(".")[0]
    steps = traceback.walk_tb(cause.__traceback__)
    own = [
        f" ({frame.f_code.co_filename}:{line})"
        for frame, line in steps
        if str(frame.f_globals.get("__name__")).partition(".")[0] == package
    ]
    return own[-1] if own else ""
