"""Checks in advance whether the runner can run a program.

The just-in-time compiler runs no global constructors and supports neither ``atexit`` nor thread-local
storage; the sandbox forbids new processes. The error for such a program names the construct that it uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput
from optarena.llvm.module import Module, linked_list, value_name
from optarena.machine_code.libllvm import library
from optarena.machine_code.program import callable_libraries

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARRAYS: Final = {"llvm.global_ctors": "a global constructor", "llvm.global_dtors": "a global destructor"}
_SECTIONS: Final = (".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors")
_EXIT_HANDLERS: Final = frozenset(
    {"atexit", "at_quick_exit", "on_exit", "__cxa_atexit", "__cxa_thread_atexit", "__cxa_thread_atexit_impl"}
)
_PROCESSES: Final = frozenset(
    {"fork", "vfork", "clone", "system", "popen", "posix_spawn", "posix_spawnp", "pthread_create"}
    | {"thrd_create", "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "dlopen"}
)
# The types of a main that is called rightly; other exit codes are what a register happens to hold.
_MAINS: Final = ("i32 ()", "i32 (i32, ptr)", "i32 (i32, ptr, ptr)")
_UNSUPPORTED: Final = (
    "Remove it: the runner supports no constructors, exit handlers, thread-local storage, ifuncs or further "
    "processes."
)
_DEFINE: Final = "Define it, or link the file that does."
_MAIN: Final = "Define int main(void), or int main(int, char **)."


def check_runnable(data: bytes) -> None:
    with Module.parse(data) as module:
        found = next(_problems(module), None)
    if found:
        problem, remedy = found
        raise InvalidInput(f"The program cannot be run: it {problem}.", field="program", remedy=remedy)


def _problems(module: Module) -> Iterator[tuple[str, str]]:
    llvm = library()
    main = llvm.GetNamedFunction(module.handle, b"main")
    if not main or llvm.IsDeclaration(main):
        yield "defines no main()", _MAIN
    elif (kind := llvm.take_string(llvm.PrintTypeToString(llvm.GlobalGetValueType(main)))) not in _MAINS:
        yield f"has a main() of the type {kind:.100}", _MAIN
    if llvm.GetFirstGlobalIFunc(module.handle):
        yield "chooses a function when it is loaded (ifunc)", _UNSUPPORTED
    for variable in linked_list(llvm.GetFirstGlobal(module.handle), llvm.GetNextGlobal):
        yield from _variable_problems(variable)
    for function in module.functions():
        if llvm.IsDeclaration(function) and not llvm.GetIntrinsicID(function):
            yield from _function_problems(value_name(function).decode(errors="replace"))


def _variable_problems(variable: int) -> Iterator[tuple[str, str]]:
    llvm = library()
    name = value_name(variable).decode(errors="replace")
    section = (llvm.GetSection(variable) or b"").decode(errors="replace")
    if name in _ARRAYS:
        yield f"has {_ARRAYS[name]} ({name})", _UNSUPPORTED
    elif section.startswith(_SECTIONS):
        yield f"has a global constructor or destructor ({name}, in the section {section})", _UNSUPPORTED
    elif llvm.IsThreadLocal(variable):
        yield f"has a thread-local variable ({name})", _UNSUPPORTED
    elif llvm.IsDeclaration(variable) and not _is_in_libraries(name):
        yield f"needs the variable {name}, which the C library does not have", _DEFINE


def _function_problems(name: str) -> Iterator[tuple[str, str]]:
    if name in _EXIT_HANDLERS:
        yield f"registers an exit handler ({name})", _UNSUPPORTED
    elif name in _PROCESSES:
        yield f"starts a process or thread, or loads code ({name})", _UNSUPPORTED
    elif not _is_in_libraries(name):
        yield f"calls {name}, which the C library does not have", _DEFINE


def _is_in_libraries(name: str) -> bool:
    return any(hasattr(handle, name) for handle in callable_libraries().values())
