"""Checks in advance whether the runner can run a program.

The just-in-time compiler runs no global constructors and supports neither ``atexit`` nor thread-local
storage; the sandbox forbids new processes. The error for such a program names the construct that it uses.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput
from optarena.llvm.module import Module
from optarena.machine_code.libllvm import library
from optarena.machine_code.program import callable_libraries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ARRAYS: Final = {"llvm.global_ctors": "a global constructor", "llvm.global_dtors": "a global destructor"}
_SECTIONS: Final = (".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors")
_EXIT_HANDLERS: Final = frozenset(
    {"atexit", "at_quick_exit", "on_exit", "__cxa_atexit", "__cxa_thread_atexit", "__cxa_thread_atexit_impl"}
)
_PROCESSES: Final = frozenset(
    {"fork", "vfork", "clone", "system", "popen", "posix_spawn", "posix_spawnp", "pthread_create"}
    | {"thrd_create", "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "dlopen"}
)
_MAIN_PARAMETERS: Final = (0, 2, 3)


def check_runnable(data: bytes) -> None:
    """Checks that the runner can run a program.

    Raises:
        InvalidInput: The runner cannot run it; the message names the construct.
    """
    with Module.parse(data) as module:
        problem = next(_problems(module), None)
    if problem:
        raise InvalidInput(
            f"The program cannot be run: it {problem}.",
            field="program",
            remedy="Remove it: the runner supports no constructors, exit handlers, thread-local storage or "
            "further processes.",
        )


def _problems(module: Module) -> Iterator[str]:
    llvm = library()
    main = llvm.GetNamedFunction(module.handle, b"main")
    if not main or llvm.IsDeclaration(main):
        yield "defines no main()"
    elif llvm.CountParams(main) not in _MAIN_PARAMETERS:
        yield "has a main() with an unusual number of parameters"
    if llvm.GetFirstGlobalIFunc(module.handle):
        yield "chooses a function when it is loaded (ifunc)"
    for variable in _each(llvm.GetFirstGlobal(module.handle), llvm.GetNextGlobal):
        yield from _variable_problems(variable)
    for function in _each(llvm.GetFirstFunction(module.handle), llvm.GetNextFunction):
        if llvm.IsDeclaration(function) and not llvm.GetIntrinsicID(function):
            yield from _function_problems(_name(function))


def _variable_problems(variable: int) -> Iterator[str]:
    llvm = library()
    name = _name(variable)
    section = (llvm.GetSection(variable) or b"").decode(errors="replace")
    if name in _ARRAYS:
        yield f"has {_ARRAYS[name]} ({name})"
    elif section.startswith(_SECTIONS):
        yield f"has a global constructor or destructor ({name}, in the section {section})"
    elif llvm.IsThreadLocal(variable):
        yield f"has a thread-local variable ({name})"
    elif llvm.IsDeclaration(variable) and not _is_in_libraries(name):
        yield f"needs the variable {name}, which the C library does not have"


def _function_problems(name: str) -> Iterator[str]:
    if name in _EXIT_HANDLERS:
        yield f"registers an exit handler ({name})"
    elif name in _PROCESSES:
        yield f"starts a process or thread, or loads code ({name})"
    elif not _is_in_libraries(name):
        yield f"calls {name}, which the C library does not have"


def _is_in_libraries(name: str) -> bool:
    return any(hasattr(handle, name) for handle in callable_libraries().values())


def _each(first: int | None, following: Callable[[int], int | None]) -> Iterator[int]:
    value = first
    while value:
        yield value
        value = following(value)


def _name(value: int) -> str:
    length = ctypes.c_size_t()
    pointer = library().GetValueName2(value, ctypes.byref(length))
    return ctypes.string_at(pointer, length.value).decode(errors="replace")
