"""Finds a session type by its name, and loads the modules that all its sessions share.

A name is ``module:class`` or, for a class in a file that is not an importable module, such as a script,
``/absolute/path.py:class``. The package's own types are loaded once, in the zygote; users' types are loaded
after the fork, because their modules may do anything at import (start threads, open connections).
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
import zlib
from functools import cache
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Final

from optarena.errors import InvalidInput, OptArenaError, ServiceError, UnknownName
from optarena.service.proto.compiler_gym_service_pb2 import GetSpacesReply
from optarena.service.protocol.status import passes, text_of
from optarena.service.session import CompilationSession

# what a zygote's child runs for sessions
SESSION_MAIN: Final = "optarena.service.session_process.session_main:session_main"
# how the names of modules begin that were loaded from a file by its path
_FILE_MODULE: Final = "_optarena_file_"
_MAIN: Final = "__main__"
_IMPORTERS: Final = (__file__, importlib.__file__)


def spaces_of(session_type: type[CompilationSession]) -> GetSpacesReply:
    return GetSpacesReply(
        action_space_list=session_type.action_spaces, observation_space_list=session_type.observation_spaces
    )


def is_own(name: str) -> bool:
    return name.startswith("optarena.")


def name_of(session_type: type[CompilationSession]) -> str:
    # The name by which another process can load the type.
    module = sys.modules.get(session_type.__module__)
    class_name = session_type.__qualname__
    if module is None or getattr(module, class_name, None) is not session_type:
        raise _unnameable(session_type, "it is not an attribute of its module")
    if session_type.__module__ != _MAIN:
        return f"{session_type.__module__}:{class_name}"
    if module.__spec__ is not None and module.__spec__.name != _MAIN:  # python -m package.module
        return f"{module.__spec__.name}:{class_name}"
    path = getattr(module, "__file__", None)
    if path is None or path.startswith("<"):
        raise _unnameable(session_type, "it was not defined in a file")
    # A script's path may be relative, and other processes have another working directory.
    from pathlib import Path  # noqa: PLC0415 # slow to import, and a zygote needs no names

    return f"{Path(path).absolute()}:{class_name}"


def is_from_file(session_type: type[CompilationSession]) -> bool:
    # As for a service in a script.
    return session_type.__module__.startswith(_FILE_MODULE)


@cache
def load(name: str) -> type[CompilationSession]:
    # Prepare all that its sessions share.
    found = load_most(name)
    found.preload_rest()
    return found


@cache
def load_most(name: str) -> type[CompilationSession]:
    # Prepare what most of them need.
    found = load_first(name)
    found.finish_preloading()
    return found


@cache
def load_first(name: str) -> type[CompilationSession]:
    # Load as much as the description needs.
    module_name, _, class_name = name.rpartition(":")
    if not module_name.strip(".") or module_name.startswith("."):
        raise _unknown(name, "it names no module")
    try:
        is_file = module_name.startswith("/")
        module = _file_module(module_name) if is_file else importlib.import_module(module_name)
    except (OptArenaError, MemoryError):
        raise
    except BaseException as error:  # an interrupt too: nothing may be left behind
        if passes(error):
            raise
        # The module itself, or one of its parent packages, does not exist.
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing is not None and f"{module_name}.".startswith(f"{missing}."):
            raise _unknown(name, text_of(error)) from error
        raise ServiceError(
            f"Session type {name!r} cannot be loaded: its module raises "
            f"{type(error).__name__}: {text_of(error)}{_place(error)}"
        ) from error
    try:
        found = getattr(module, class_name)
    except AttributeError as error:
        raise _unknown(name, text_of(error)) from error
    if not (isinstance(found, type) and issubclass(found, CompilationSession)):
        raise _unknown(name, "it is not a subclass of optarena.service.CompilationSession")
    found.preload()
    return found


def _file_module(path: str) -> ModuleType:
    # The module's name is the same in every process, and is not `__main__`.
    name = f"{_FILE_MODULE}{zlib.crc32(path.encode()):08x}"
    if name in sys.modules:
        return sys.modules[name]
    if not os.path.exists(path):  # noqa: PTH110 # pathlib is slow to import
        raise ModuleNotFoundError(f"the file {path} does not exist", name=path)
    loader = SourceFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    if spec is None:
        raise ImportError(f"{path} cannot be loaded as a module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # before it runs: dataclasses look for it
    try:
        loader.exec_module(module)
    except BaseException:  # an interrupt too: nothing may be left behind
        del sys.modules[name]
        raise
    return module


def _place(error: BaseException) -> str:
    # Where in the imported module the error came from.
    if isinstance(error, SyntaxError):  # its text ends with file and line
        return ""
    places = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename not in _IMPORTERS and not frame.f_code.co_filename.startswith("<frozen ")
    ]
    if not places:
        return ""
    line = [line for file, line in places if file == places[0][0]][-1]
    return f" ({places[0][0]}, line {line})"


def _unknown(name: str, why: str) -> UnknownName:
    message = f"Session type {name!r} cannot be found: {why}."
    remedy = "Give it as 'package.module:ClassName', or as '/path/of/file.py:ClassName'."
    return UnknownName(message, field="session_type", value=name, remedy=remedy)


def _unnameable(session_type: type[CompilationSession], why: str) -> InvalidInput:
    name = session_type.__qualname__
    message = f"Sessions of {name} cannot be started in processes of their own: {why}."
    remedy = "Define the class at the top level of a module or script, or run it with --in-process."
    return InvalidInput(message, field="session_type", value=name, remedy=remedy)
